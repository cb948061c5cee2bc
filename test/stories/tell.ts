import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { MINUTE } from '../../lib/engine/time/dates.ts';
import { whenForBoth } from '../../lib/words/people.ts';
import type { PlatformKeys } from '../local/platforms.ts';
import type { World } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';
import { busyOf, dateOf, instantOf, preferencesOf, YEAR } from './calendar.ts';
import type { Question, Story, Who } from './story.ts';

type Body = Record<string, unknown>;
interface Scene {
  world: World;
  platform: PlatformKeys;
  emails: [string, string];
  story: Story;
}
type Asked<K extends string> = Extract<Question, Record<K, unknown>>;

/** Time to which the world's clock is set before the first story. */
export const BEGINNING = Date.parse(`${YEAR}-01-01T00:00:20Z`);

/** Turns the model off, so that rules read what people write. */
export const RULES_ALONE = { target: 'llm', mode: 'status', status: 500 } as const;

/** Some seconds after the full minute, as requests come. */
const SECONDS = 20_000;

/**
 * Plays a story through the Worker with new people and returns the sentences of its answer. `number` keeps the people
 * apart from those of other stories.
 */
export async function tell(world: World, platform: PlatformKeys, story: Story, number: number): Promise<string[]> {
  const ahead = instantOf(story.now, story.people[0].zone) + SECONDS - world.clock.now();
  if (ahead > 0) await world.advance(ahead);
  const [one, two] = story.people;
  const emails: [string, string] = [await arrive(one), await arrive(two)];
  const scene = { world, platform, emails, story };
  for (const { at, minutes } of story.earlier ?? []) await book(scene, at, minutes);
  return answer(scene);

  async function arrive(who: Who): Promise<string> {
    const email = `${who.name.toLowerCase().replaceAll(' ', '.')}@story-${number}.test`;
    world.google.addUser({ email, timezone: who.zone });
    for (const [start, end] of busyOf(who)) world.google.addBusy({ email, start, end });
    const preferences = preferencesOf(who);
    if (who.isAbsent) return email;
    if (preferences === undefined) await world.connectCalendar(platform, email);
    else {
      const { api_key } = await world.connect(platform, email);
      const set = await createClient(world.baseUrl, api_key).send('PUT', '/v1/user/preferences', preferences);
      if (set.status !== 200) throw new Error(set.text);
    }
    return email;
  }
}

function answer(scene: Scene): Promise<string[]> {
  const { asks } = scene.story;
  if ('auto' in asks) return pick(scene, asks);
  if ('preview' in asks) return preview(scene, asks);
  if ('search' in asks) return search(scene, asks);
  if ('propose' in asks) return propose(scene, asks);
  if ('book' in asks) return bookIfFree(scene, asks);
  if ('explain' in asks) return explain(scene, asks);
  return move(scene, asks);
}

async function search(scene: Scene, { search: { minutes = 30, from, to } }: Asked<'search'>): Promise<string[]> {
  const range = { ...(from && { start_date: dateOf(from) }), ...(to && { end_date: dateOf(to) }) };
  const request = { attendees: scene.emails, duration_minutes: minutes, ...((from || to) && { date_range: range }) };
  const { data } = await callTool(scene, 'check_availability', request);
  const {
    slots,
    message,
    suggestions = [],
  } = data as { slots: { reason: string }[]; message?: string; suggestions?: string[] };
  return [...slots.map(({ reason }) => reason), ...(message === undefined ? [] : [message]), ...suggestions];
}

async function pick(scene: Scene, { auto: { minutes, context } }: Asked<'auto'>): Promise<string[]> {
  const { world, emails, story } = scene;
  const accepted = await request(scene, 'POST', '/v1/schedule/auto', {
    attendees: emails,
    duration_minutes: minutes,
    context,
  });
  const { job_id: id } = accepted.body as { job_id?: string };
  if (id === undefined) return [messageOf(accepted.body)];
  for (let turn = 0; turn < 5; turn++) {
    await world.qstash.deliverDue();
    const { result } = (await request(scene, 'GET', `/v1/jobs/${id}`)).body as { result: Body | null };
    if (result === null) continue;
    if (result.success !== true) return [String(result.error_message), ...(result.suggestions as string[])];
    const { match_quality } = result.chosen_slot as { match_quality: string };
    return [String(result.agent_reasoning), `match_quality: ${match_quality}`];
  }
  throw new Error(`The job of "${story.title}" did not end: ${accepted.text}`);
}

async function preview(scene: Scene, { preview: { minutes, context } }: Asked<'preview'>): Promise<string[]> {
  const about = { attendees: scene.emails, duration_minutes: minutes, context, preview: true };
  const { text } = await callTool(scene, 'schedule_auto', about);
  // The second part tells the agent how to confirm, with a token that is never the same.
  return text.split('\n').slice(0, 1);
}

async function propose(scene: Scene, { propose: { count, minutes = 30 } }: Asked<'propose'>): Promise<string[]> {
  const [, other] = scene.story.people;
  const guest = other.isAbsent ? { guest_time_zone: other.zone } : {};
  const about = { attendees: scene.emails, duration_minutes: minutes, count, title: 'Talk', ...guest };
  const { status, body } = await request(scene, 'POST', '/v1/proposals', about);
  return status < 300 ? (body as { times: { reason: string }[] }).times.map(({ reason }) => reason) : [messageOf(body)];
}

async function bookIfFree(scene: Scene, { book: { at, minutes } }: Asked<'book'>): Promise<string[]> {
  const { status, body } = await book(scene, at, minutes, true);
  if (status === 200) {
    const { warnings = [] } = body as { warnings?: string[] };
    const [one, two] = scene.story.people.map(({ zone }, i) => ({ email: scene.emails[i] ?? '', timeZone: zone }));
    if (one === undefined || two === undefined) throw new Error('A story has two people.');
    return [`Booked: ${whenForBoth(Date.parse(startOf(scene, at)), [one, two])}.`, ...warnings];
  }
  const { alternatives = [] } = (body as { error: { alternatives?: { reason: string }[] } }).error;
  return [messageOf(body), ...alternatives.map(({ reason }) => reason)];
}

async function explain(scene: Scene, { explain: { at, minutes = 30 }, only }: Asked<'explain'>): Promise<string[]> {
  const { data } = await callTool(scene, 'explain_time', {
    attendees: scene.emails,
    start_time: startOf(scene, at),
    duration_minutes: minutes,
    ...(only && { date_range: { start_date: dateOf(only), end_date: dateOf(only) } }),
  });
  // The tool's answer begins with the time that was asked about.
  return [String(data.text).replace(/^.*?Z\. /, '')];
}

async function move(scene: Scene, { move: { at, minutes }, by, reason }: Asked<'move'>): Promise<string[]> {
  const { meeting_id: id } = (await book(scene, at, minutes)).body as { meeting_id: string };
  const moved = await request(scene, 'POST', `/v1/meetings/${id}/reschedule`, {
    meeting_id: id,
    requested_by: scene.emails[by],
    reason,
  });
  if (moved.status !== 200) return [messageOf(moved.body)];
  const { reasoning, warnings = [] } = moved.body as { reasoning: string; warnings?: string[] };
  return [reasoning, ...warnings];
}

async function book(scene: Scene, at: string, minutes = 30, isFree = false) {
  const booked = await request(scene, 'POST', '/v1/schedule', {
    attendees: scene.emails,
    start_time: startOf(scene, at),
    duration_minutes: minutes,
    title: 'Talk',
    ...(isFree && { require_free: true }),
  });
  if (!isFree && booked.status !== 200) throw new Error(booked.text);
  return booked;
}

const startOf = ({ story }: Scene, at: string) =>
  new Date(Math.floor(instantOf(at, story.people[0].zone) / MINUTE) * MINUTE).toISOString();

const messageOf = (body: unknown): string => (body as { error: { message: string } }).error.message;

const request = ({ world, platform }: Scene, method: string, path: string, body?: Body) =>
  createClient(world.baseUrl, platform.secret_key).send(method, path, body);

/** Calls a tool as an agent does, and returns its data with its text. */
async function callTool({ world, platform }: Scene, name: string, args: Body) {
  const client = new Client({ name: 'stories', version: '1' });
  const headers = { authorization: `Bearer ${platform.secret_key}` };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', world.baseUrl), { requestInit: { headers } }));
  const { content, structuredContent, isError } = await client.callTool({ name, arguments: args });
  await client.close();
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
  if (isError === true) throw new Error(text);
  return { text, data: { ...(structuredContent as Body), text } as Body };
}
