import { batch } from '../../../schema/db.ts';
import { countFailures, endMeetings, keepTimes, listUnread, lockBatch } from '../../../schema/meetings/batches-run.ts';
import type { PairTimes } from '../../../schema/tables/batches.ts';
import { DAYS_KNOWN_AFTER, loadPeople, readPerson } from '../../availability/read-people.ts';
import { windowOf } from '../../availability/search-window.ts';
import { openTimes } from '../../engine/rank/rank-auto.ts';
import { DAY, MINUTE } from '../../engine/time/dates.ts';
import { windowInterval } from '../../engine/time/window.ts';
import { localDay } from '../../engine/time/zone.ts';
import type { DateWindow, Interval, SearchedPerson } from '../../engine/types.ts';
import type { Ctx } from '../../kit/context.ts';
import { calendarUnavailable } from '../../kit/errors.ts';
import { eachOf } from '../../kit/work-off.ts';
import { bothInKnownZones, type Pair, type PersonInZone, requireBothConnected } from '../../person/person.ts';
import { sayNoTimes, saySuggestions } from '../../words/no-times.ts';
import { type BatchMeeting, meetingOf, type Outcome, outcomeOf, type Run } from './batch.ts';

const PAIRS = 50;
const MOST_TIMES = 48;
/** Number of people who are read at the same time. A Worker has six connections. */
const AT_ONCE = 5;
const BUDGET_MS = 20_000;

type Search = { meeting: BatchMeeting; people: Pair<PersonInZone>; window: DateWindow };
type Ended = { position: number } & Exclude<Outcome, { again: true }>;

/**
 * Ends pairs without a common time, or whose calendars cannot be read. Returns the seconds until the next run, more
 * than 0 if every pair failed and is tried again.
 */
export async function searchSlice(ctx: Ctx, run: Run): Promise<number> {
  const meetings = (await listUnread(ctx.db, { id: run.id, limit: PAIRS })).map(meetingOf);
  const fresh = meetings.filter(({ misses }) => misses > 0);
  const found: { position: number; times: PairTimes }[] = [];
  const ended: Ended[] = [];
  const again: number[] = [];
  // A pair whose place was taken is read live, because its snapshots may be old.
  for (const [group, isFresh] of [
    [fresh, true],
    [meetings.filter((meeting) => !fresh.includes(meeting)), false],
  ] as const) {
    for (const { meeting, result } of await searchGroup(ctx, run, group, isFresh)) {
      const { position } = meeting;
      if ('list' in result) found.push({ position, times: result });
      else if (result.again) again.push(position);
      else ended.push({ position, ...result });
    }
  }
  await batch(ctx.db, {
    lock: lockBatch(ctx.db, run),
    found: keepTimes(ctx.db, run, found),
    ended: endMeetings(ctx.db, run, ended),
    ...(again.length > 0 && { failed: countFailures(ctx.db, run, again) }),
  });
  return found.length + ended.length > 0 ? 0 : 5 * 4 ** Math.max(...meetings.map(({ failures }) => failures));
}

async function searchGroup(ctx: Ctx, run: Run, meetings: BatchMeeting[], isFresh: boolean) {
  if (meetings.length === 0) return [];
  const now = ctx.clock.now();
  const range = run.batch.options.dateRange;
  const emails = [...new Set(meetings.flatMap(({ attendees }) => attendees))];
  const loaded = await loadPeople(ctx, run.platform, { emails, isFresh });
  const begun = meetings.map((meeting): Search | { meeting: BatchMeeting; error: unknown } => {
    try {
      const people = bothInKnownZones(requireBothConnected(meeting.attendees, loaded.people));
      return { meeting, people, window: windowOf(people[0], { kind: 'dates', range }, now) };
    } catch (error) {
      return { meeting, error };
    }
  });
  const read = await readAll(
    ctx,
    begun.flatMap((one) => ('people' in one ? one : [])),
    loaded,
  );
  return begun.map((one) => ({ meeting: one.meeting, result: timesOf(one, read, now) }));
}

/** Reads every person of the searches once, over all dates that one of the person's searches covers. */
async function readAll(ctx: Ctx, searches: Search[], loaded: Awaited<ReturnType<typeof loadPeople>>) {
  const asked = new Map<string, { person: PersonInZone; span: Interval }>();
  for (const { people, window } of searches) {
    const { start, end } = windowInterval(window, people[0].timeZone);
    for (const person of people) {
      const span = asked.get(person.email)?.span ?? { start, end };
      const widest = { start: Math.min(span.start, start), end: Math.max(span.end, end + DAYS_KNOWN_AFTER * DAY) };
      asked.set(person.email, { person, span: widest });
    }
  }
  const until = ctx.clock.now() + BUDGET_MS;
  const read = new Map<string, SearchedPerson | { error: unknown }>();
  await eachOf([...asked.values()], AT_ONCE, async ({ person, span }) => {
    try {
      if (ctx.clock.now() > until) throw calendarUnavailable(person.email);
      read.set(person.email, (await readPerson(ctx, person, span, loaded)).person);
    } catch (error) {
      read.set(person.email, { error });
    }
  });
  return read;
}

function timesOf(
  one: Search | { meeting: BatchMeeting; error: unknown },
  read: Awaited<ReturnType<typeof readAll>>,
  now: number,
): PairTimes | Outcome {
  try {
    if ('error' in one) throw one.error;
    const { meeting, people, window } = one;
    const [requester, other] = [readOf(read, people[0]), readOf(read, people[1])];
    const { durationMinutes, context } = meeting;
    const { times, none } = openTimes(
      {
        ...{ requester, other, durationMinutes, context, window, now },
        daysKnownAfter: DAYS_KNOWN_AFTER,
        requesterPreferences: people[0].preferences,
        otherPreferences: people[1].preferences,
      },
      MOST_TIMES,
    );
    if (none !== undefined) {
      // The reason is stored, so it has nobody's words.
      const relaxations = none.relaxations.map((one) => ({ ...one, words: undefined }));
      const reason = { code: 'NO_AVAILABILITY' as const, message: sayNoTimes(none), suggestions: saySuggestions(none) };
      return { again: false, state: 'unplaced', reason: { ...reason, relaxations } };
    }
    const days = (which: 0 | 1) => times.map((time) => time.days[which]);
    return {
      list: times.map(({ start, product, comfort, days: [day, otherDay] }) => [
        start / MINUTE,
        product,
        comfort,
        day,
        otherDay,
      ]),
      buffers: [requester.bufferMinutes, other.bufferMinutes],
      left: [leftOn(requester, days(0)), leftOn(other, days(1))],
    };
  } catch (error) {
    return outcomeOf(error, one.meeting);
  }
}

function readOf(read: Awaited<ReturnType<typeof readAll>>, { email }: PersonInZone): SearchedPerson {
  const person = read.get(email);
  if (person === undefined) throw calendarUnavailable(email);
  if ('error' in person) throw person.error;
  return person;
}

/** By day number, without others' meetings: a dry run must not show how many of them a day has. */
function leftOn({ timeZone, meetings, maxMeetingsPerDay }: SearchedPerson, days: number[]): Record<string, number> {
  const taken = Map.groupBy(meetings, ({ start }) => localDay(timeZone, start));
  return Object.fromEntries(
    [...new Set(days)].map((day) => {
      const events = (taken.get(day) ?? []).map(({ takenBy, start }) => takenBy ?? String(start));
      return [day, Math.max(0, maxMeetingsPerDay - new Set(events).size)];
    }),
  );
}
