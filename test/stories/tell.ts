import type { PlatformKeys } from '../local/platforms.ts';
import type { World } from '../local/world.ts';
import { createClient } from '../support/client.ts';
import type { Story, Who } from './story.ts';

/** What came of a story. */
export interface Told {
  chosen: string;
  said: string;
}

type Body = Record<string, unknown>;
interface Scene {
  world: World;
  platform: PlatformKeys;
  emails: [string, string];
  story: Story;
}

/** The world's clock is put to this before the first story: no story is older, and none is newer by much. */
export const BEGINNING = Date.parse('2030-01-07T07:00:20Z');

/** No model answers, so that what people write is read by the rules. */
export const RULES_ALONE = { target: 'llm', mode: 'status', status: 500 } as const;

/** Plays a story through the Worker with people of its own; `number` tells them from those of other stories. */
export async function tell(world: World, platform: PlatformKeys, story: Story, number: number): Promise<Told> {
  const ahead = Date.parse(story.now) - world.clock.now();
  if (ahead > 0) await world.advance(ahead);
  const [one, two] = story.people;
  const emails: [string, string] = [await arrive(one), await arrive(two)];
  const scene = { world, platform, emails, story };
  for (const meeting of story.earlier ?? []) await book(scene, meeting);
  return answer(scene);

  async function arrive({ name, zone, busy = [], preferences }: Who): Promise<string> {
    const email = `${name}@story-${number}.test`;
    world.google.addUser({ email, timezone: zone });
    for (const [start, end] of busy) world.google.addBusy({ email, start, end });
    if (preferences === undefined) await world.connectCalendar(platform, email);
    else {
      const { api_key } = await world.connect(platform, email);
      const set = await createClient(world.baseUrl, api_key).send('PUT', '/v1/user/preferences', preferences);
      if (set.status !== 200) throw new Error(set.text);
    }
    return email;
  }
}

function answer(scene: Scene): Promise<Told> {
  const { asks } = scene.story;
  if ('auto' in asks) return pick(scene, asks.auto);
  if ('search' in asks) return search(scene, asks.search);
  if ('book' in asks) return bookIfFree(scene, asks.book);
  return move(scene, asks);
}

async function pick(scene: Scene, request: Body): Promise<Told> {
  const { world, platform, emails } = scene;
  const client = createClient(world.baseUrl, platform.secret_key);
  const accepted = await client.send('POST', '/v1/schedule/auto', { attendees: emails, ...request });
  const { job_id: id } = accepted.body as { job_id: string };
  for (let turn = 0; turn < 5; turn++) {
    await world.qstash.deliverDue();
    const { result } = (await client.send('GET', `/v1/jobs/${id}`)).body as { result: Body | null };
    if (result === null) continue;
    if (result.success !== true)
      return { chosen: 'none', said: [result.error_message, ...(result.suggestions as string[])].join(' ') };
    const { start_time, match_quality } = result.chosen_slot as { start_time: string; match_quality: string };
    return { chosen: `${onClock(start_time)}, ${match_quality}`, said: String(result.agent_reasoning) };
  }
  throw new Error(`the job of "${scene.story.title}" did not end: ${accepted.text}`);
}

async function search({ world, platform, emails }: Scene, request: Body): Promise<Told> {
  const client = createClient(world.baseUrl, platform.secret_key);
  const found = (await client.availability({ attendees: emails, ...request })).body as {
    slots: { start_time: string; reason: string }[];
    message?: string;
    relaxations?: Body[];
  };
  const [first] = found.slots;
  if (first === undefined) {
    const changes = (found.relaxations ?? []).map(({ change, opens }) => `${change} opens ${opens}`);
    return { chosen: 'none', said: [found.message, ...changes].join('; ') };
  }
  return { chosen: found.slots.map(({ start_time }) => onClock(start_time)).join(', '), said: first.reason };
}

async function bookIfFree(scene: Scene, meeting: { start: string; minutes: number }): Promise<Told> {
  const { status, body } = await request(scene, { ...meeting, require_free: true });
  if (status === 200) return { chosen: onClock(meeting.start), said: '' };
  const { message, alternatives = [] } = (body as { error: { message: string; alternatives?: Body[] } }).error;
  const others = alternatives.map(({ start_time }) => onClock(String(start_time)));
  return { chosen: 'none', said: [message, others.join(', ')].join(' ') };
}

async function move(scene: Scene, asks: Extract<Story['asks'], { move: unknown }>): Promise<Told> {
  const { world, platform, emails, story } = scene;
  const client = createClient(world.baseUrl, platform.secret_key);
  let id = await book(scene, asks.move);
  let told: Told = { chosen: 'none', said: '' };
  for (const reason of asks.reasons) {
    const wish = { meeting_id: id, requested_by: emails[asks.by], reason, preferred_time_range: asks.range ?? null };
    const { status, body, text } = await client.send('POST', `/v1/meetings/${id}/reschedule`, wish);
    if (status === 409) return { chosen: 'none', said: (body as { error: { message: string } }).error.message };
    if (status !== 200) throw new Error(text);
    const moved = body as { new_meeting_id: string; new_meeting_time: string; reasoning: string };
    id = moved.new_meeting_id;
    told = { chosen: onClockIn(moved.new_meeting_time, story.people[0].zone), said: moved.reasoning };
  }
  return told;
}

async function book(scene: Scene, meeting: { start: string; minutes: number }): Promise<string> {
  const { status, body, text } = await request(scene, meeting);
  if (status !== 200) throw new Error(text);
  return (body as { meeting_id: string }).meeting_id;
}

const request = (
  { world, platform, emails }: Scene,
  { start, minutes, ...more }: { start: string; minutes: number; require_free?: boolean },
) =>
  createClient(world.baseUrl, platform.secret_key).schedule({
    attendees: emails,
    start_time: start,
    duration_minutes: minutes,
    title: 'Talk',
    ...more,
  });

/** "Tue 8 Jan 10:00" as the text's own clock has it. */
const onClock = (iso: string) => shown(Date.parse(`${iso.slice(0, 16)}:00Z`), 'UTC');
const onClockIn = (iso: string, zone: string) => shown(Date.parse(iso), zone);

function shown(instant: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(instant);
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('weekday')} ${of('day')} ${of('month')} ${of('hour')}:${of('minute')}`;
}
