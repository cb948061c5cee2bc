import { expect } from 'vitest';
import type { Answers } from '../../../lib/client/types.ts';
import { world } from '../worlds/world.ts';
import { connectedPerson, freshPlatform, type TestPerson, type TestPlatform, webhooksOf } from './factories.ts';
import { pass } from './meetings.ts';

export type Batch = Answers['Batch'];
export type Result = Answers['BatchResult'];

/** Creates a platform with a mentor, who is in every pair of `meetings`, and some mentees. */
export async function mentoring({ mentees = 3, plan = 'enterprise' } = {}) {
  const platform = await freshPlatform({ plan });
  const mentor = await connectedPerson(platform, { name: 'mentor' });
  const people: TestPerson[] = [];
  for (let n = 0; n < mentees; n++) people.push(await connectedPerson(platform, { name: `mentee${n}` }));
  const meetings = people.map(({ email }, n) => ({ reference: `pair-${n}`, attendees: [mentor.email, email] }));
  return { platform, mentor, mentees: people, meetings, body: { meetings } };
}

export const sendBatch = (platform: TestPlatform, body: unknown, headers: Record<string, string> = {}) =>
  platform.api.send('POST', '/v1/schedule/batch', body, { headers });

interface Round {
  meetings: unknown[];
  dry_run?: boolean;
  [option: string]: unknown;
}

export async function acceptedBatch(platform: TestPlatform, body: Round): Promise<string> {
  const answer = await sendBatch(platform, body);
  expect(answer).toMatchObject({ status: 202, body: { status: 'processing', total: body.meetings.length } });
  return (answer.body as Batch).batch_id;
}

export async function readBatch(platform: TestPlatform, id: string): Promise<Batch> {
  const { status, body } = await platform.api.send('GET', `/v1/batches/${id}?limit=200`);
  expect(status).toBe(200);
  return body as Batch;
}

/** Runs the queue and the clock until the batch has one of the statuses, and has ended unless it is planned. */
export async function batchIs(platform: TestPlatform, id: string, status: string): Promise<Batch> {
  for (let turn = 0; turn < 30; turn++) {
    await world.qstash.deliverDue();
    const batch = await readBatch(platform, id);
    if (batch.status === status && (status === 'planned' || batch.ended_at !== null)) return batch;
    await pass(70);
  }
  throw new Error(`the batch never became ${status}`);
}

export const finishedBatch = async (platform: TestPlatform, body: Round) =>
  batchIs(platform, await acceptedBatch(platform, body), body.dry_run ? 'planned' : 'completed');

export const statesOf = ({ meetings }: Batch): Record<string, string> =>
  Object.fromEntries(meetings.map(({ reference, state }) => [reference, state]));

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
    await pass(70);
  }
  throw new Error('the job never ended');
}

export async function accepted(platform: TestPlatform, body: unknown): Promise<string> {
  const answer = await auto(platform, body);
  expect(answer.status).toBe(202);
  return (answer.body as { job_id: string }).job_id;
}
