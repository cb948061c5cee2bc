import { randomUUID } from 'node:crypto';
import { HOUR } from '../../../lib/engine/time/dates.ts';
import type { Wish } from '../checks/checker.ts';
import { meetingIdIn } from '../checks/said.ts';
import type { Answer } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { message } from './agents.ts';
import { connectedPerson, freshPlatform, type TestPerson } from './factories.ts';

/** A platform with its people, and slots nobody else takes, on days that do not fill up. */
export type Scene = Awaited<ReturnType<typeof scene>>;

/** Slots are three hours apart: eight a day, of the ten meetings that people take. */
const SLOTS_APART_MS = 3 * HOUR;

/** Creates a platform with this many connected people. Its plan has no limits unless another one is named. */
export async function scene({ people = 2, plan = 'enterprise' } = {}) {
  const platform = await freshPlatform({ plan });
  const connected: TestPerson[] = [];
  for (let at = 0; at < people; at += 1) connected.push(await connectedPerson(platform, { name: `p${at}` }));
  let next = 0;
  return {
    platform,
    people: connected,
    slot() {
      next += 1;
      return Math.ceil(world.clock.now() / HOUR) * HOUR + 48 * HOUR + next * SLOTS_APART_MS;
    },
  };
}

export interface Request extends Wish {
  /** Sends the request. Returns undefined if the connection broke. */
  send(): Promise<Answer | undefined>;
}

export function request(
  wish: Omit<Wish, 'answers'>,
  call: (headers: Record<string, string>) => Promise<Answer>,
): Request {
  const answers: Answer[] = [];
  const headers: Record<string, string> = wish.key === undefined ? {} : { 'Idempotency-Key': wish.key };
  return {
    ...wish,
    answers,
    async send() {
      const answer = await call(headers).catch(() => undefined);
      if (answer !== undefined) answers.push(answer);
      return answer;
    },
  };
}

interface Booking {
  key?: string | undefined;
  start?: number;
  people?: [TestPerson, TestPerson];
  requireFree?: boolean;
}

/** Books a slot nobody else takes, unless a start is named. */
export function booking(at: Scene, { key, start = at.slot(), people, requireFree = false }: Booking = {}): Request {
  const title = `Meeting ${randomUUID()}`;
  const attendees = (people ?? at.people.slice(0, 2)).map(({ email }) => email);
  const body = { attendees, start_time: new Date(start).toISOString(), duration_minutes: 30, title };
  return request({ platform: at.platform, title, key }, (headers) =>
    at.platform.api.schedule({ ...body, require_free: requireFree }, { headers }),
  );
}

export function autoBooking(at: Scene, { key, people }: Pick<Booking, 'key' | 'people'> = {}): Request {
  const title = `Meeting ${randomUUID()}`;
  const attendees = (people ?? at.people.slice(0, 2)).map(({ email }) => email);
  return request({ platform: at.platform, title, key }, (headers) =>
    at.platform.api.send('POST', '/v1/schedule/auto', { attendees, title, auto: true }, { headers }),
  );
}

export async function madeMeeting(at: Scene, asked: Booking = {}): Promise<string> {
  const answer = await booking(at, asked).send();
  const id = answer && meetingIdIn(answer.text);
  if (id === undefined) throw new Error(`no meeting was made: ${answer?.text}`);
  return id;
}

interface Change {
  key?: string | undefined;
  start?: number;
  minutes?: number;
  attendees?: TestPerson[];
}

/** Moves a meeting to a slot nobody else takes, unless a start is named. */
export function update(
  at: Scene,
  id: string,
  { key, start = at.slot(), minutes = 30, attendees }: Change = {},
): Request {
  const body = {
    start_time: new Date(start).toISOString(),
    end_time: new Date(start + minutes * 60_000).toISOString(),
    ...(attendees === undefined ? {} : { attendees: attendees.map(({ email }) => email) }),
  };
  return request({ platform: at.platform, key }, (headers) =>
    at.platform.api.send('PUT', `/v1/meetings/${id}`, body, { headers }),
  );
}

/** Reschedules a meeting to the best other time, as requested by its first attendee. */
export function reschedule(at: Scene, id: string, { key }: Pick<Change, 'key'> = {}): Request {
  const body = async () => {
    const [asker] = await world.neon.query('select email from meeting_people where meeting_id = $1 and position = 0', [
      id,
    ]);
    return { meeting_id: id, requested_by: asker?.email, reason: 'Something came up.' };
  };
  return request({ platform: at.platform, key }, async (headers) =>
    at.platform.api.send('POST', `/v1/meetings/${id}/reschedule`, await body(), { headers }),
  );
}

export const cancellation = (at: Scene, id: string, { key }: Pick<Change, 'key'> = {}): Request =>
  request({ platform: at.platform, key }, (headers) =>
    at.platform.api.send('DELETE', `/v1/meetings/${id}`, undefined, { headers }),
  );

/** Previews a cancellation as an agent. Returns the call that confirms it, whose answer is a new preview if need be. */
export async function previewedCancellation(at: Scene, id: string): Promise<Request> {
  const call = async (more: object) => {
    const params = { name: 'cancel_meeting', arguments: { meeting_id: id, ...more } };
    const { headers, body } = message('tools/call', params);
    const answer = await at.platform.api.send('POST', '/mcp', body, { headers });
    const { isError, content, structuredContent } = (answer.body as { result: Result }).result;
    const { confirm_token, confirm_by: _, ...data } = structuredContent ?? {};
    // A refusal is an answer 200 of the protocol. A token differs with each preview.
    return {
      ...answer,
      ...(isError ? { status: 409, text: JSON.stringify(content) } : { text: JSON.stringify(data) }),
      confirm_token,
    };
  };
  const { confirm_token } = await call({ preview: true });
  return request({ platform: at.platform }, () => call({ confirm_token }));
}

interface Result {
  isError?: boolean;
  content: object[];
  structuredContent?: Record<string, unknown>;
}

export const newKey = () => `key-${randomUUID()}`;
