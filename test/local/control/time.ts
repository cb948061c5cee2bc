import { Hono } from 'hono';
import * as z from 'zod';
import type { MovableClock } from '../clock.ts';
import type { Sleepers } from '../sleepers.ts';
import type { WorkerProcess } from '../worker-process.ts';
import { readBody } from './input.ts';

const Advance = z.strictObject({
  advance_seconds: z
    .number()
    .positive()
    .max(10 * 366 * 86_400),
});

const Sleep = z.strictObject({ ms: z.number().min(0) });

interface TimeDeps {
  clock: MovableClock;
  patience: number;
  moveClock: (ms: number) => Promise<void>;
  sleep: Sleepers['sleep'];
  deliverDue: () => Promise<number>;
  worker: () => Pick<WorkerProcess, 'runScheduled'>;
}

/**
 * Serves `/clock`, `/sleep`, `/queue/deliver` and `/cron`: move the clock, wait for it, deliver due messages, run the
 * cron.
 */
export function timeRoutes({ clock, patience, moveClock, sleep, deliverDue, worker }: TimeDeps) {
  const reading = () => ({ now: new Date(clock.now()).toISOString(), offset_ms: clock.workerOffset(), patience });
  return new Hono()
    .get('/clock', (c) => c.json(reading()))
    .post('/clock', async (c) => {
      const { advance_seconds } = await readBody(c, Advance);
      await moveClock(advance_seconds * 1000);
      return c.json(reading());
    })
    .post('/sleep', async (c) => {
      const { ms } = await readBody(c, Sleep);
      await sleep(ms, c.req.raw.signal);
      return c.json(reading());
    })
    .post('/queue/deliver', async (c) => c.json({ delivered: await deliverDue() }))
    .post('/cron', async (c) => {
      await worker().runScheduled(clock.now());
      return c.json({ ran_at: new Date(clock.now()).toISOString() });
    });
}
