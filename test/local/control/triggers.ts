import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';
import * as z from 'zod';
import { RESCHEDULED } from '../../../schema/api/webhook-events/names.ts';
import { EVENTS, type TriggeredEvent } from '../triggers.ts';
import { readBody, refuse } from './input.ts';

const NAMES = [...EVENTS, RESCHEDULED] as const;
/** A name that a webhook can subscribe to. A move arrives as `meeting.updated`, as the sample of a move does. */
const Trigger = z.strictObject({
  event: z
    .enum(NAMES, `must be one of ${NAMES.join(', ')}`)
    .transform((name): TriggeredEvent => (name === RESCHEDULED ? 'meeting.updated' : name)),
});

export interface TriggerRouteDeps {
  trigger(apiKey: string, event: TriggeredEvent): Promise<string>;
  /** Returns the secret key of the world's first platform. Throws if it was replaced. */
  firstKey(): Promise<string | undefined>;
}

/** Serves `/trigger`, which makes an event happen for the platform whose secret key is the bearer token. */
export const triggerRoutes = ({ trigger, firstKey }: TriggerRouteDeps) =>
  new Hono().post('/trigger', async (c) => {
    const { event } = await readBody(c, Trigger);
    const given = c.req.header('authorization')?.match(/^bearer (.+)$/i)?.[1];
    try {
      const key = given ?? (await firstKey()) ?? refuse(404, 'There is no platform yet.');
      return c.json({ event, did: await trigger(key, event) });
    } catch (error) {
      if (error instanceof HTTPException) throw error;
      return refuse(502, error instanceof Error ? error.message : String(error));
    }
  });
