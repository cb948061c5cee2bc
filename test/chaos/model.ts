import { isDeepStrictEqual } from 'node:util';
import { isFinal, meetingIdIn } from '../support/checks/answers.ts';
import type { TestPlatform } from '../support/factories.ts';
import type { Ask, Trace } from './trace.ts';

// A small model of meeting, job, delivery and grant that knows the interface and nothing of the product's code: it must
// account for what the clients were answered, what the calendar was asked to do and what the platforms were told.

interface Scope {
  platforms: TestPlatform[];
  /** People who are away from a platform. */
  closed: Set<string>;
  /** Events that people changed themselves. */
  changed: Set<string>;
}

interface Event {
  id: string;
  event_type: string;
  data: Record<string, string> & { changes: Record<string, string>; attendees: string[] };
}

/** A meeting as its platform was told of it. */
interface Meeting {
  id: string;
  platform: TestPlatform;
  made: Event[];
  moves: Event[];
  ends: Event[];
  replacements: Event[];
}

const MOST_ATTEMPTS = 3;
const MAKING = ['book', 'bookfree', 'auto'];

/** What the model cannot account for, as sentences. */
export async function unaccounted(trace: Trace, scope: Scope): Promise<string[]> {
  const told = scope.platforms.flatMap((platform) => {
    const arrived = trace.arrivals.filter(({ url }) => url === platform.webhookUrl);
    return [...new Map(arrived.map(({ text }) => [JSON.parse(text).id as string, JSON.parse(text) as Event])).values()];
  });
  const meetings = meetingsOf(trace, scope);
  return [
    ...deliveries(trace),
    ...(await Promise.all([...meetings.values()].map((meeting) => lifeOf(meeting, trace)))).flat(),
    ...trace.asks.flatMap((ask) => answersOf(ask, meetings)),
    ...exclusions(trace, scope),
    ...calendarCalls(trace, meetings),
    ...(await jobs(trace, told)),
    ...(await grants(scope)),
  ];
}

/** A delivery has one event and its bytes stay; nothing arrives more often than it may once all is quiet. */
function deliveries({ arrivals, quietFrom }: Trace): string[] {
  return groups(arrivals, ({ deliveryId }) => deliveryId).flatMap(([id, all]) => {
    const late = all.filter(({ at }) => at > quietFrom).length;
    return [
      ...(new Set(all.map(({ text }) => text)).size === 1 ? [] : [`delivery ${id} brought different bytes`]),
      ...(late <= MOST_ATTEMPTS ? [] : [`delivery ${id} arrived ${late} times although nothing failed`]),
    ];
  });
}

function meetingsOf({ arrivals }: Trace, { platforms }: Scope): Map<string, Meeting> {
  const meetings = new Map<string, Meeting>();
  const seen = new Set<string>();
  for (const { url, text } of arrivals) {
    const platform = platforms.find(({ webhookUrl }) => webhookUrl === url);
    const event = JSON.parse(text) as Event;
    if (platform === undefined || seen.has(event.id)) continue;
    seen.add(event.id);
    const { meeting_id: id = '', rescheduled_from: from } = event.data;
    const of = (name: string): Meeting => {
      const empty = { id: name, platform, made: [], moves: [], ends: [], replacements: [] };
      const known = meetings.get(name) ?? empty;
      meetings.set(name, known);
      return known;
    };
    if (event.event_type === 'meeting.scheduled') of(id).made.push(event);
    if (event.event_type === 'meeting.scheduled' && from !== undefined) of(from).replacements.push(event);
    if (event.event_type === 'meeting.updated') of(id).moves.push(event);
    if (event.event_type === 'meeting.cancelled') of(id).ends.push(event);
  }
  return meetings;
}

/** Made once, moved step by step, ended once at most, each for a reason somebody gave, and shown as it was told. */
async function lifeOf(meeting: Meeting, { asks, acts }: Trace): Promise<string[]> {
  const { id, platform, made, moves, ends, replacements } = meeting;
  const [birth] = made;
  if (birth === undefined || made.length > 1) return [`${id} was told as made ${made.length} times`];
  if (ends.length + replacements.length > 1) return [`${id} ended ${ends.length + replacements.length} times`];
  const about = (operation: string) => asks.filter((ask) => ask.operation === operation && ask.meetingId === id);
  const answer = await platform.api.send('GET', `/v1/meetings/${id}`);
  const shown = answer.body as { status: string; title: string; start_time: string; end_time: string };
  const cause = asks.find((ask) => ask.title === shown.title && ask.platform === platform);
  const found: string[] = [];
  if (cause === undefined) found.push(`nobody asked for ${id}, "${shown.title}"`);
  else if (
    birth.data.rescheduled_from === undefined &&
    cause.start !== undefined &&
    instant(birth.data.start_time) !== cause.start
  )
    found.push(`${id} was asked for at ${cause.start} and made at ${birth.data.start_time}`);

  const path = pathThrough(birth.data.start_time, moves);
  if (path === undefined)
    found.push(`the moves of ${id} are no path: ${moves.map(({ data }) => JSON.stringify(data.changes))}`);
  else if (instant(path) !== instant(shown.start_time))
    found.push(`${id} was told to be at ${path} and is shown at ${shown.start_time}`);
  for (const { data } of moves.filter(({ data: { changes } }) => changes.updated_by === platform.id)) {
    const start = instant(data.changes.new_start_time);
    if (!about('update').some((ask) => ask.start === start))
      found.push(`nobody asked to move ${id} to ${data.changes.new_start_time}`);
  }
  for (const { data } of ends) {
    const isOurs = data.cancelled_by === platform.id && about('cancel').length > 0;
    const isTheirs = data.cancelled_by === 'calendar' && acts.some(({ kind }) => kind === 'deleted');
    if (!isOurs && !isTheirs && data.reason !== 'outcome_unknown')
      found.push(`nobody asked to cancel ${id}: ${data.reason}`);
  }
  if (replacements.length > 0 && about('reschedule').length === 0) found.push(`nobody asked to reschedule ${id}`);
  const due = ends.length > 0 ? ['cancelled'] : replacements.length > 0 ? ['rescheduled'] : ['scheduled', 'updated'];
  if (!due.includes(shown.status)) found.push(`${id} is shown as ${shown.status} and was told ${due}`);
  return found;
}

/** Where moves lead that each begin where another ended, all of them used; undefined when they do not. */
function pathThrough(from: string | undefined, moves: Event[]): string | undefined {
  if (moves.length === 0) return from;
  for (const move of moves) {
    const { old_start_time, new_start_time } = move.data.changes;
    if (instant(old_start_time) !== instant(from)) continue;
    const end = pathThrough(
      new_start_time,
      moves.filter((other) => other !== move),
    );
    if (end !== undefined) return end;
  }
  return undefined;
}

/** What a client was answered for good is what was told. */
function answersOf(ask: Ask, meetings: Map<string, Meeting>): string[] {
  const final = ask.answers.filter(isFinal);
  const [success] = final.filter(({ status }) => status < 300);
  if (success === undefined || ask.operation === 'auto') return [];
  const id = meetingIdIn(success.text);
  const of = (name: string | undefined) => meetings.get(name ?? '');
  const wrong = (what: string) => [`${ask.operation} was answered ${success.text}, ${what}`];
  if (MAKING.includes(ask.operation))
    return of(id)?.made.length === 1 ? [] : wrong('and its meeting was never told of');
  if (ask.operation === 'cancel') return of(ask.meetingId)?.ends.length === 1 ? [] : wrong('and no end was told');
  if (ask.operation === 'reschedule')
    return of(ask.meetingId)?.replacements.some(({ data }) => data.meeting_id === id)
      ? []
      : wrong('and no replacement was told');
  const isMoved = of(ask.meetingId)?.moves.some(({ data }) => instant(data.changes.new_start_time) === ask.start);
  return isMoved ? [] : wrong('and no move was told');
}

/** What was asked to be free was free of every meeting that its client knew of by then and that nobody meant to change. */
function exclusions({ asks }: Trace, { changed }: Scope): string[] {
  const made = asks.flatMap((ask) => {
    const success = ask.answers.find(
      ({ status, headers }) => status === 200 && headers.get('idempotent-replayed') === null,
    );
    const id = success && meetingIdIn(success.text);
    return success && id && ask.start !== undefined && ask.title !== undefined
      ? [{ ...ask, id, came: success.came }]
      : [];
  });
  const isLeftAlone = (id: string, until: number) =>
    !asks.some(({ meetingId, first }) => meetingId === id && first < until);
  return made
    .filter(({ operation }) => operation === 'bookfree')
    .flatMap((exclusive) =>
      made
        .filter(
          (known) => known.id !== exclusive.id && known.came < exclusive.first && isLeftAlone(known.id, exclusive.came),
        )
        .filter(({ attendees = [] }) => attendees.some((email) => exclusive.attendees?.includes(email)))
        .filter(({ start = 0, end = 0 }) => start < (exclusive.end ?? 0) && (exclusive.start ?? 0) < end)
        .filter(() => changed.size === 0)
        .map(({ id }) => `${exclusive.id} was to be free and was made over ${id}`),
    );
}

/** Nothing was put on, moved in or taken off a calendar that nobody had asked for. */
function calendarCalls({ calls, asks }: Trace, meetings: Map<string, Meeting>): string[] {
  const origin = new Map(
    calls.flatMap(({ meetingId, eventId }) => (meetingId === undefined ? [] : [[eventId, meetingId]])),
  );
  const heirs = (id: string): string[] => [
    id,
    ...(meetings.get(id)?.replacements ?? []).flatMap(({ data }) => heirs(data.meeting_id ?? '')),
  ];
  return calls.flatMap(({ method, eventId, body }) => {
    if (method === 'POST') {
      const cause = asks.find(({ title }) => title === (body as { summary?: string }).summary);
      if (cause === undefined) return [`an event nobody asked for was made: ${JSON.stringify(body)}`];
      const isThere = cause.start === undefined || instant(body.start?.dateTime) === cause.start;
      return isThere ? [] : [`"${cause.title}" was put at ${body.start?.dateTime}, not ${cause.start}`];
    }
    const line = heirs(origin.get(eventId) ?? '');
    const about = asks.filter(({ meetingId }) => meetingId !== undefined && line.includes(meetingId));
    const wasTold = line.some((id) => meetings.has(id));
    if (method === 'PATCH') return about.length > 0 ? [] : [`${eventId} was moved and nobody asked for a change`];
    return about.some(({ operation }) => operation === 'cancel') || !wasTold
      ? []
      : [`${eventId} was deleted and nobody had cancelled`];
  });
}

/** Each job that was taken on ended once, as it is shown, and its meeting is one that was told of. */
async function jobs({ asks }: Trace, told: Event[]): Promise<string[]> {
  const accepted = asks.flatMap(({ platform, answers }) =>
    answers.flatMap(({ status, text }) => (status === 202 ? [{ platform, id: String(JSON.parse(text).job_id) }] : [])),
  );
  const found = await Promise.all(
    [...new Map(accepted.map((job) => [job.id, job])).values()].map(async ({ platform, id }) => {
      const ends = told.filter(({ data }) => data.job_id === id);
      const job = (await platform.api.send('GET', `/v1/jobs/${id}`)).body as { status: string; result: unknown };
      const [end] = ends;
      if (ends.length !== 1) return [`${job.status} job ${id} was told ${ends.length} times`];
      if (!isDeepStrictEqual(end?.data, job.result)) return [`job ${id} is shown otherwise than told`];
      const isMade = told.some(
        ({ event_type, data }) => event_type === 'meeting.scheduled' && data.meeting_id === end?.data.meeting_id,
      );
      return end?.event_type.endsWith('failed') || isMade ? [] : [`job ${id} made a meeting nobody was told of`];
    }),
  );
  return found.flat();
}

/** Whoever is connected can be searched: the consent that was kept is one the provider still honours. */
async function grants({ platforms, closed }: Scope): Promise<string[]> {
  const found = await Promise.all(
    platforms.map(async ({ id, api }) => {
      const { connections } = (await api.calendars()).body as { connections: { user_email: string; status: string }[] };
      const here = connections.map(({ user_email }) => user_email).filter((email) => !closed.has(email));
      const pairs = here.slice(1).map((email) => [here[0], email]);
      const answers = await Promise.all(pairs.map((attendees) => api.availability({ attendees })));
      return answers.flatMap(({ status, text }, n) =>
        status === 200 ? [] : [`${pairs[n]} of ${id} cannot be searched: ${text}`],
      );
    }),
  );
  return found.flat();
}

const instant = (text: string | undefined) => Date.parse(text ?? '');

function groups<T>(all: T[], keyOf: (one: T) => string): [string, T[]][] {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return [...found];
}
