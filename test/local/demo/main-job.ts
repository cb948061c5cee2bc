import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DateTime } from 'luxon';
import { type Answers, createTandem } from '../../../lib/client/tandem.ts';
import type { EventData } from '../../../schema/api/webhook-events.ts';
import { createBrowser } from '../browser.ts';
import { isSignedBy } from '../inbox.ts';
import { connectCalendar } from '../people.ts';
import type { PlatformKeys } from '../platforms.ts';
import { awaitWebhook, type Caller, createCaller, type Scene, type Story } from './story.ts';

type BookedMeeting = Answers['BookedMeeting'];
type Slot = Answers['Slot'];

type Completed = EventData<'meeting.scheduling.completed'>;

interface ListedEvent {
  summary?: string;
  status: string;
  start: { dateTime: string };
  hangoutLink?: string;
}

const FIRST_TITLE = 'Second interview';
const PATIENCE_MS = 30_000;

/** Plays what follows the first booking: Tandem picks a time itself, learns from the reason for a move, and cancels. */
async function playNextMeetings(scene: Scene, attendees: string[]) {
  const picked = await pick(scene, attendees);
  const moved = await move(scene, picked, attendees);
  await cancel(scene, moved, attendees);
}

async function pick({ story, world, api, platform }: Scene, attendees: string[]): Promise<Completed> {
  story.chapter('Tandem picks the next time itself, in the background');
  const { job_id: id, status } = await api.scheduleAutomatically({
    attendees,
    context: 'interview',
    title: FIRST_TITLE,
  });
  story.check(status === 'processing', `The request is accepted at once as ${id}`);
  const webhook = await awaitWebhook(world, 'meeting.scheduling.completed', id);
  story.check(isSignedBy(platform.webhook_secret ?? '', webhook), 'A signed webhook brings the result');
  const result = JSON.parse(webhook.body_text).data as Completed;
  const job = await api.waitForJob(id);
  story.check(
    job.status === 'completed' && isDeepStrictEqual(job.result, result),
    'GET /v1/jobs returns the same result',
  );
  story.tell(result.agent_reasoning);
  const isThere = await standsOnBoth(world, attendees, result.chosen_slot.start_time);
  story.check(isThere, 'The meeting is on both calendars');
  return result;
}

async function move({ story, world, api }: Scene, picked: Completed, attendees: string[]): Promise<string> {
  const [, who = ''] = attendees;
  const { start_time: old } = picked.chosen_slot;
  const weekday = DateTime.fromISO(old, { setZone: true }).toFormat('cccc');
  const reason = `Can we avoid ${weekday}s? They are full for me.`;
  story.chapter(`${who} asks to move it: “${reason}”`);
  const { meeting_id: id } = picked;
  const moved = await api.rescheduleMeeting(id, { requested_by: who, reason });
  story.tell(moved.reasoning);
  story.tell(moved.learned_from);
  const day = DateTime.fromISO(moved.new_meeting_time, { setZone: true }).toFormat('cccc');
  story.check(day !== weekday, `It moved from ${weekday} to ${day}`);
  story.check(moved.learned_from.includes(weekday.toLowerCase()), `Tandem remembers what ${who} said for next time`);
  story.check(await standsOnBoth(world, attendees, moved.new_meeting_time), 'The same event moved on both calendars');
  const webhook = await awaitWebhook(world, 'meeting.scheduled', moved.new_meeting_id);
  story.check(
    JSON.parse(webhook.body_text).data.rescheduled_from === id,
    'A webhook told the platform which meeting it replaces',
  );
  return moved.new_meeting_id;
}

async function cancel({ story, world, api }: Scene, id: string, attendees: string[]) {
  story.chapter('The platform cancels it');
  const { status } = await api.cancelMeeting(id);
  story.check(status === 'cancelled', `${id} is cancelled`);
  await awaitWebhook(world, 'meeting.cancelled', id);
  story.check(true, 'A webhook reports it');
  const left = await Promise.all(attendees.map((email) => eventsOf(world, email, FIRST_TITLE)));
  story.check(
    left.every((events) => events.length === 0),
    'It is gone from both calendars',
  );
  const meeting = await api.getMeeting(id);
  story.check(meeting.status === 'cancelled', 'It can still be read');
}

async function standsOnBoth(world: Caller, attendees: string[], start: string): Promise<boolean> {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(100)) {
    const events = await Promise.all(attendees.map((email) => eventsOf(world, email, FIRST_TITLE)));
    const isThere = ([event, ...more]: ListedEvent[]) =>
      event !== undefined && more.length === 0 && Date.parse(event.start.dateTime) === Date.parse(start);
    if (events.every(isThere)) return true;
  }
  return false;
}

async function eventsOf(world: Caller, email: string, title: string): Promise<ListedEvent[]> {
  const { events } = await world.get<{ events: ListedEvent[] }>(`/google/events?email=${email}`);
  return events.filter(({ summary, status }) => summary === title && status !== 'cancelled');
}

const PEOPLE = [
  { email: 'ann@customer.test', timezone: 'America/New_York' },
  { email: 'ben@customer.test', timezone: 'Europe/Berlin' },
];
const ATTENDEES = PEOPLE.map(({ email }) => email);
const TITLE = 'First interview';

/**
 * Plays the main job over HTTP as a platform would: connects two people, searches, books, and receives the signed
 * webhook.
 */
export async function playMainJob(story: Story, { baseUrl, worldUrl }: { baseUrl: string; worldUrl: string }) {
  const world = createCaller(worldUrl);
  story.chapter('A platform signs up');
  const platform = await world.post<PlatformKeys>('/platforms', { name: 'Acme Recruiting', plan: 'pro' });
  story.check(platform.secret_key.startsWith('sk_live_'), `${platform.id} has a secret key`);
  story.check(platform.publishable_key.startsWith('pk_live_'), 'It has a publishable key');
  story.check((platform.webhook_secret ?? '') !== '', 'It has a secret that signs its webhooks');

  const api = createTandem({ apiKey: platform.secret_key, baseUrl });
  const scene = { story, world, api, platform, baseUrl, worldUrl };
  for (const person of PEOPLE) await connect(scene, person);
  const best = await search(scene);
  const meeting = await book(scene, best);
  await receive(scene, meeting);
  await searchAgain(scene, meeting);
  await playNextMeetings(scene, ATTENDEES);
  await playProposal(scene, ATTENDEES[0] ?? '');
}

async function connect({ story, world, api, platform, baseUrl, worldUrl }: Scene, person: (typeof PEOPLE)[number]) {
  const { email, timezone } = person;
  story.chapter(`${email}, in ${timezone}, connects a calendar`);
  await world.post('/google/users', person);
  const { start_time: start, end_time: end } = busyMorning(timezone);
  await world.post('/google/busy', { email, start, end });
  const { page } = await connectCalendar({ baseUrl, worldUrl, publishableKey: platform.publishable_key, email });
  story.check(
    page.status === 200 && page.url.startsWith(baseUrl),
    'They gave consent and returned to the “connected” page',
  );
  const status = await api.getUserStatus(email);
  story.check(status.calendar_connected, 'The platform sees that the calendar is connected');
  const event = await awaitWebhook(world, 'user.calendar.connected', email);
  story.check(isSignedBy(platform.webhook_secret ?? '', event), 'The platform also received a signed webhook');
}

async function search({ story, api }: Scene): Promise<Slot> {
  story.chapter('The platform asks for the best times');
  const { slots } = await api.findAvailability({ attendees: ATTENDEES, duration_minutes: 30 });
  for (const { start_time, score, reason } of slots) {
    const local = PEOPLE.map(({ timezone }) =>
      DateTime.fromISO(start_time).setZone(timezone).toFormat('ccc dd LLL HH:mm'),
    );
    story.tell(`${local.join(' / ')}   ${score}   ${reason}`);
  }
  const [best] = slots;
  if (best === undefined) throw new Error('The search offered no slot.');
  story.check(slots.length <= 5, `It gets ${slots.length} slots, at most five`);
  story.check(
    slots.every((slot, at) => slot.score <= (slots[at - 1]?.score ?? 1)),
    'They are ranked by score, best first',
  );
  story.check(slots.every(isInOffice), 'Each is within both people’s work hours');
  const isFree = (slot: Slot) => PEOPLE.every(({ timezone }) => !overlaps(slot, busyMorning(timezone)));
  story.check(slots.every(isFree), 'None is at a time when either person is busy');
  return best;
}

async function book({ story, world, api }: Scene, { start_time }: Slot): Promise<BookedMeeting> {
  story.chapter('The platform books the best slot');
  const wanted = { attendees: ATTENDEES, start_time, duration_minutes: 30, title: TITLE };
  const meeting = await api.scheduleMeeting(wanted);
  story.tell(`${meeting.meeting_id}  ${meeting.start_time}  ${meeting.meet_link}`);
  story.check(isSame(meeting.start_time, start_time), 'The meeting is at that time');
  story.check(URL.canParse(meeting.meet_link ?? ''), 'It has a video link');
  for (const email of ATTENDEES) {
    const [event] = await eventsOf(world, email, TITLE);
    const isThere = event !== undefined && isSame(event.start.dateTime, start_time);
    story.check(isThere && event.hangoutLink === meeting.meet_link, `It is on ${email}’s calendar, with the same link`);
  }
  return meeting;
}

async function receive({ story, world, platform }: Scene, { meeting_id, meet_link }: BookedMeeting) {
  story.chapter('The platform receives the webhook');
  const delivery = await awaitWebhook(world, 'meeting.scheduled', meeting_id);
  story.tell(`POST ${delivery.url}`);
  story.tell(`X-Service-Signature: ${delivery.headers['x-service-signature']}`);
  const secret = platform.webhook_secret ?? '';
  story.check(isSignedBy(secret, delivery), 'Its signature is valid, checked with nothing but the secret');
  const forged = { ...delivery, body_text: delivery.body_text.replace(meeting_id, 'meet_forged') };
  story.check(!isSignedBy(secret, forged), 'The signature is not valid for a changed body');
  const { event_type, platform_id, data } = JSON.parse(delivery.body_text);
  story.check(event_type === 'meeting.scheduled' && platform_id === platform.id, 'The event is for this platform');
  story.check(data.meeting_id === meeting_id && data.meeting_url === meet_link, 'The event is about this meeting');
}

async function searchAgain({ story, api }: Scene, { start_time, end_time }: BookedMeeting) {
  story.chapter('The platform searches again');
  const { slots } = await api.findAvailability({ attendees: ATTENDEES, duration_minutes: 30 });
  const clashes = slots.filter((slot) => overlaps(slot, { start_time, end_time }));
  story.check(slots.length > 0 && clashes.length === 0, 'The booked time is no longer offered');
}

function busyMorning(timezone: string) {
  const start = nextWeekday().setZone(timezone, { keepLocalTime: true }).set({ hour: 9 });
  return { start_time: start.toUTC().toISO() ?? '', end_time: start.plus({ hours: 2 }).toUTC().toISO() ?? '' };
}

function nextWeekday(): DateTime {
  const tomorrow = DateTime.utc().startOf('day').plus({ days: 1 });
  return tomorrow.weekday > 5 ? tomorrow.plus({ days: 8 - tomorrow.weekday }) : tomorrow;
}

function isInOffice({ start_time, end_time }: Slot): boolean {
  return PEOPLE.every(({ timezone: zone }) => {
    const [start, end] = [DateTime.fromISO(start_time, { zone }), DateTime.fromISO(end_time, { zone })];
    return start.weekday <= 5 && start.hour >= 8 && end <= start.startOf('day').set({ hour: 18 });
  });
}

const isSame = (one: string, other: string) => Date.parse(one) === Date.parse(other);

function overlaps(one: Pick<Slot, 'start_time' | 'end_time'>, other: Pick<Slot, 'start_time' | 'end_time'>): boolean {
  return (
    Date.parse(one.start_time) < Date.parse(other.end_time) && Date.parse(other.start_time) < Date.parse(one.end_time)
  );
}

const GUEST = 'grace@elsewhere.test';

/**
 * Plays the last act: the platform offers times to somebody without a connected calendar, who chooses one on the page
 * of the proposal.
 */
async function playProposal({ story, world, api, baseUrl }: Scene, requester: string) {
  story.chapter(`The platform offers times to ${GUEST}, who has connected no calendar`);
  await api.configureWebhook({ events: ['proposal.accepted'] });
  const attendees: [string, string] = [requester, GUEST];
  const wanted = { attendees, duration_minutes: 30, title: 'Third interview' };
  const { proposal_id: id, times, url } = await api.proposeTimes(wanted);
  for (const { reason } of times) story.tell(reason);
  story.check(times.length === 3, 'Three times are held until one is chosen');

  const browser = createBrowser([new URL(baseUrl).host]);
  const page = await browser.open(url ?? '');
  story.check(page.status === 200, `${GUEST} opens the link, without an account`);
  const done = await browser.submit(page, new URL(page.url).pathname, { name: 'Grace Hopper' });
  story.check(done.status === 200, 'They say their name and choose the first time');
  const { data } = JSON.parse((await awaitWebhook(world, 'proposal.accepted', id)).body_text);
  // The page lists the times by date, the API the best first.
  const [first] = times.map(({ start_time }) => start_time).sort();
  story.check(data.start_time === first, `A webhook brings the answer: ${dayOf(data.start_time)}`);
  const meeting = await api.getMeeting(data.meeting_id);
  story.check(meeting.start_time === data.start_time, 'The meeting is booked, and both are invited');
}

const dayOf = (time: string) => DateTime.fromISO(time, { zone: 'utc' }).toFormat('cccc d LLLL, HH:mm ZZZZ');
