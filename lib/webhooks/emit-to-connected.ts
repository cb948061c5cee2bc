import type { EventData, EventEnvelope, EventType } from '../../schema/api/events.ts';
import { insertDeliveriesToConnected } from '../../schema/deliveries/fan-out-queries.ts';
import type { OnlyIf } from '../../schema/deliveries/queries.ts';
import type { Ctx } from '../context.ts';
import { kickDeliveries } from './emit.ts';

interface EventToAll<T extends EventType> {
  email: string;
  type: T;
  /** The data, given what stands for each platform's own publishable key. */
  data: (publishableKey: string) => EventData<T>;
  now: number;
  onlyIf?: OnlyIf | undefined;
}

/**
 * An event to every platform connected with the person, as one statement for the batch of the change it reports: who
 * they are is read when it runs, so that none is missed. Give its result to `kickAll` once the batch is in.
 */
export function emitToConnected<T extends EventType>(ctx: Ctx, { email, type, data, now, onlyIf }: EventToAll<T>) {
  const mark = () => ctx.ids.id('mark_');
  const marks = { eventId: mark(), platformId: mark(), publishableKey: mark() };
  const envelope: EventEnvelope = {
    id: marks.eventId,
    event_type: type,
    timestamp: new Date(now).toISOString(),
    platform_id: marks.platformId,
    api_version: 'v1',
    data: data(marks.publishableKey),
  };
  const template = JSON.stringify(envelope);
  return insertDeliveriesToConnected(ctx.db, {
    ...{ email, eventType: type, template, marks, now, onlyIf },
    seed: ctx.ids.secret(''),
  });
}

/** Asks for the first attempts, after the answer. */
export function kickAll(ctx: Ctx, { rows }: { rows: { id: string }[] }): void {
  ctx.later(
    kickDeliveries(
      ctx,
      rows.map(({ id }) => id),
    ),
  );
}
