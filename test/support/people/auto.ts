import { expect } from 'vitest';
import { world } from '../worlds/world.ts';
import { connectedPerson, freshPlatform, type TestPlatform, webhooksOf } from './factories.ts';

export type Body = Record<string, unknown>;

/** Creates a platform and two people with empty calendars in one zone. */
export async function pair({ plan = 'enterprise', timezone = 'UTC' } = {}) {
  const platform = await freshPlatform({ plan });
  const ada = await connectedPerson(platform, { name: 'ada', timezone });
  const bob = await connectedPerson(platform, { name: 'bob', timezone });
  return { platform, ada, bob, body: { attendees: [ada.email, bob.email] } };
}

export const auto = (platform: TestPlatform, body: unknown, headers: Record<string, string> = {}) =>
  platform.api.send('POST', '/v1/schedule/auto', body, { headers });

export const job = (platform: TestPlatform, id: string) => platform.api.send('GET', `/v1/jobs/${id}`);

/** Runs the queue and the clock until the job has ended. Returns the job with the one event that reported its end. */
export async function ended(platform: TestPlatform, jobId: string) {
  for (let turn = 0; turn < 12; turn++) {
    await world.qstash.deliverDue();
    const read = (await job(platform, jobId)).body as Body;
    if (read.status !== 'processing') {
      const told = (await webhooksOf(platform)).filter(
        ({ body }) => body.event_type.startsWith('meeting.scheduling.') && body.data.job_id === jobId,
      );
      expect(told).toHaveLength(1);
      expect(told[0]?.body.data).toEqual(read.result);
      return { read, event: told[0]?.body, result: read.result as Body & { error_code?: string } };
    }
    await world.advance(70_000);
    await world.worker.ready();
    await world.worker.runScheduled(world.clock.now());
  }
  throw new Error('the job never ended');
}

/** Submits a job and returns its id once it is accepted. */
export async function accepted(platform: TestPlatform, body: unknown): Promise<string> {
  const answer = await auto(platform, body);
  expect(answer.status).toBe(202);
  return (answer.body as { job_id: string }).job_id;
}
