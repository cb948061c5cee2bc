import fc from 'fast-check';
import { expect } from 'vitest';
import { explainTime } from '../../../lib/engine/explain/explain-time.ts';
import {
  type Band,
  type BandKind,
  commonBands,
  localWeek,
  personBands,
  placeOnDays,
} from '../../../lib/engine/explain/week-bands.ts';
import { bestStart, findSlots } from '../../../lib/engine/rank/find-slots.ts';
import { weigh } from '../../../lib/engine/rank/merit.ts';
import { PERSON_PARTS } from '../../../lib/engine/rank/parts.ts';
import { candidateStarts } from '../../../lib/engine/rules/free-time.ts';
import { type Relaxation, relaxationsOf } from '../../../lib/engine/rules/relaxations.ts';
import { type Cause, causesOf } from '../../../lib/engine/rules/why-empty.ts';
import { DAY, formatMinute, MINUTE, parseDate } from '../../../lib/engine/time/dates.ts';
import { windowInterval } from '../../../lib/engine/time/window.ts';
import type { Search, SearchedPerson, WorkHours } from '../../../lib/engine/types.ts';
import { minuteOf, wallAt } from './oracle/clock.ts';
import { comfortAt, partsAt } from './oracle/merit.ts';
import { allowedStarts, objectionsTo, rulesAgainst } from './oracle/rules.ts';
import { expectedSlots, rankedStarts } from './oracle/slots.ts';
import { dates } from './people.ts';
import { randomSearch, randomSearchOfMet } from './random-search.ts';

/** Whoever only wants to know whether a case fails need not wait for the smallest that does. */
fc.configureGlobal({ endOnFailure: process.env.ORACLE_SHRINKS === 'no' });

const TIMES_PER_SEARCH = 20;
/** Four places of comfort and merit are told, and a rounding error may fall between two of them. */
const A_PLACE = 0.000_100_1;

/** Number of random cases, and the seed that draws them. Without a seed, each run draws other cases. */
export interface Sample {
  numRuns: number;
  seed?: number;
}

/** Checks that the engine answers as the oracle does, which tests every minute. Returns the number of slots. */
export function expectSearchToAgree(search: Search): number {
  const starts = allowedStarts(search);
  expect(candidateStarts(search)).toEqual(starts);
  const { slots, none } = findSlots(search);
  expect(none === undefined).toBe(starts.length > 0);
  const comparable = slots.map(({ start, startTime, endTime, score, product, factors, attendees }) => ({
    start,
    startTime,
    endTime,
    otherStartTime: attendees[1]?.startTime,
    score,
    product,
    factors: factors.map(({ name, multiplier }) => [name, multiplier]),
  }));
  const expected = expectedSlots(search, rankedStarts(search, starts));
  expect(comparable).toEqual(expected.map(({ comfort, merit, ...slot }) => slot));
  for (const [i, { comfort, merit }] of slots.entries()) {
    expect(Math.abs(comfort - (expected[i]?.comfort ?? 0))).toBeLessThan(A_PLACE);
    expect(Math.abs(merit - (expected[i]?.merit ?? 0))).toBeLessThan(A_PLACE);
  }
  return slots.length;
}

export function expectSearchesToAgree(sample: Sample): void {
  let found = 0;
  fc.assert(
    fc.property(randomSearch, (search) => {
      found += expectSearchToAgree(search);
    }),
    sample,
  );
  expect(found).toBeGreaterThan(sample.numRuns / 2);
}

/** Largest rounding error of a merit, which has four decimal places. */
const HALF_A_PLACE = 0.500_01e-4;
const product = (values: number[]) => values.reduce((all, value) => all * value, 1);

/**
 * Checks that explanation, search and oracle agree about twenty times in each random search, and that the factors and
 * the parts which the explanation lists make the merit.
 */
export function expectExplanationsToAgree(sample: Sample): void {
  const minutesFromStart = fc.oneof(
    fc.integer({ min: -40, max: 200 }).map((quarters) => quarters * 15),
    fc.integer({ min: -600, max: 3000 }),
  );
  const times = fc.array(minutesFromStart, { minLength: TIMES_PER_SEARCH, maxLength: TIMES_PER_SEARCH });
  const seen = { refused: 0, free: 0, offered: 0 };
  fc.assert(
    fc.property(randomSearch, times, (random, minutes) => {
      const allowed = allowedStarts(random);
      const ranked = rankedStarts(random, allowed);
      const offered = findSlots(random).slots;
      minutes.forEach((minute, i) => {
        const near = i % 4 === 0 ? allowed[i * 7] : offered[i % 4]?.start;
        const start = i % 2 === 0 && near ? near : Date.parse(`${random.window.start}T00:00Z`) + minute * MINUTE;
        const explained = explainTime({ ...random, start });
        const against = [...new Set(explained.against.map(({ email, rule }) => `${email} ${rule}`))].sort();
        expect(against).toEqual(objectionsTo(random, allowed, start));
        expect(explained.free).toBe(allowed.includes(start));
        expect(explained.free).toBe(against.length === 0);
        expect(explained.offered).toBe(offered.some((slot) => slot.start === start));
        seen[explained.offered ? 'offered' : explained.free ? 'free' : 'refused']++;
        if (!explained.free) return;
        expect([explained.rank, explained.candidates]).toEqual([
          ranked.findIndex((one) => one.start === start) + 1,
          allowed.length,
        ]);
        const factors = explained.slot.factors.map(({ multiplier }) => multiplier);
        const merit = product([...factors, ...explained.parts.map(({ value }) => value)]);
        expect(Math.abs(merit - explained.slot.merit)).toBeLessThan(HALF_A_PLACE);
        if (explained.offered) expect(offered).toContainEqual(explained.slot);
      });
    }),
    sample,
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(sample.numRuns / 10);
}

/** Random searches have no energy pattern, and few of them have such times. */
const UNSEEN = ['not_best_hours', 'between_meetings', 'half_day', 'half_day_afternoon', 'quiet_day'];

/**
 * Compares the parts of the engine's merit with the published table on so many random times. Swapping the two people
 * changes nothing.
 */
export function expectMeritToAgree({ times, seed }: { times: number; seed?: number | undefined }): void {
  const seen = { times: 0, parts: new Set<string>() };
  const earlier = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 150 }));
  for (let run = 0; seen.times < times; run++)
    fc.assert(
      fc.property(fc.oneof(randomSearch, randomSearchOfMet), earlier, (random, days) => {
        const search: Search = { ...random, now: random.now - days * DAY };
        const starts = candidateStarts(search);
        const weighed = weigh(search, starts);
        const swapped = weigh({ ...search, requester: search.other, other: search.requester }, starts);
        starts.forEach((start, i) => {
          const comfort = weighed.comfortAt(i);
          expect(Math.abs(swapped.comfortAt(i) - comfort)).toBeLessThan(1e-12);
          expect(Math.abs(comfort - comfortAt(search, start))).toBeLessThan(1e-9);
          const parts = weighed.partsAt(i);
          for (const { name } of parts) seen.parts.add(name);
          if (i % 7 === 0) expect(parts).toEqual(partsAt(search, start));
        });
        seen.times += starts.length;
      }),
      { numRuns: 50, ...(seed === undefined ? {} : { seed: seed + run }) },
    );
  const personal = PERSON_PARTS.map(({ name }) => name).filter((name) => !UNSEEN.includes(name));
  expect([...seen.parts].sort()).toEqual(
    expect.arrayContaining([...personal, 'after_the_night', 'lead_time', 'met_that_day']),
  );
}

/** Returns every single change that is possible, applied to the search itself. */
function* changesOf(empty: Search): Generator<[change: string, changed: Search]> {
  for (let minutes = 15; minutes < empty.durationMinutes; minutes += 15)
    yield [`shorter_duration ${minutes}`, { ...empty, durationMinutes: minutes }];
  const end = new Date(Date.parse(empty.window.end) + 7 * 86_400_000).toISOString().slice(0, 10);
  yield [`more_days ${end}`, { ...empty, window: dates(empty.window.start, end) }];
  const misses: { label: string; longer: Search; missedBy: number }[] = [];
  for (const role of ['requester', 'other'] as const) {
    const { [role]: one } = empty;
    const change = (rules: Partial<SearchedPerson>) => ({ ...empty, [role]: { ...one, ...rules } });
    yield [`no_buffer ${one.email}`, change({ bufferMinutes: 0 })];
    if (one.maxMeetingsPerDay < 10)
      yield [`one_more_meeting_a_day ${one.email}`, change({ maxMeetingsPerDay: one.maxMeetingsPerDay + 1 })];
    for (const block of one.focusBlocks)
      yield [
        `without_focus_block ${one.email} ${block.day} ${block.start} ${block.end}`,
        change({ focusBlocks: one.focusBlocks.toSpliced(one.focusBlocks.indexOf(block), 1) }),
      ];
    for (const rule of one.standing ?? [])
      if (rule.verdict === 'never')
        yield [
          `without_rule ${one.email} ${rule.words}`,
          change({ standing: one.standing?.filter((other) => other !== rule) }),
        ];
    for (const [day] of one.holidays ?? [])
      yield [
        `work_on_holiday ${one.email} ${new Date(day * 86_400_000).toISOString().slice(0, 10)}`,
        change({ holidays: new Map([...(one.holidays ?? [])].filter(([other]) => other !== day)) }),
      ];
    const { workHours } = one;
    const days = [workHours.monday, workHours.tuesday, workHours.wednesday, workHours.thursday, workHours.friday];
    const usual = [...days, workHours.saturday, workHours.sunday].find(({ enabled }) => enabled);
    const [saturday, sunday] = [workHours.saturday, workHours.sunday].map((day) => (day.enabled ? day : usual));
    if (saturday && sunday) yield [`weekends ${one.email}`, change({ workHours: { ...workHours, saturday, sunday } })];
    const neverMeet = causesOf(empty).filter(({ rule }) => rule === 'work_hours').length === 2;
    for (const end of neverMeet ? (['start', 'end'] as const) : [])
      for (let quarter = 1; quarter <= 96; quarter++) {
        const minute = (end === 'start' ? 96 - quarter : quarter) * 15;
        const clock = formatMinute(minute);
        const hours = Object.entries(workHours).map(([day, own]) => {
          const isLonger = end === 'start' ? clock < own.start : clock > own.end;
          return [day, isLonger ? { ...own, [end]: clock } : own];
        });
        const longer = change({ workHours: Object.fromEntries(hours) as WorkHours });
        const [first] = allowedStarts(longer);
        if (first === undefined) continue;
        const missedBy = outsideHours(one, end, first, empty.durationMinutes);
        misses.push({ label: `longer_hours ${one.email} ${end} ${clock}`, longer, missedBy });
        break;
      }
  }
  misses.sort((a, b) => a.missedBy - b.missedBy);
  for (const [i, { label, longer, missedBy }] of misses.entries())
    if (i === 0 || missedBy <= 180) yield [label, longer];
}

/** Returns the minutes by which a meeting lies before the start or after the end of the person's hours that day. */
function outsideHours(one: SearchedPerson, end: 'start' | 'end', first: number, durationMinutes: number): number {
  const start = wallAt(one.timeZone, first);
  const own = minuteOf(one.workHours[start.weekday][end]);
  if (end === 'start') return own - start.minute;
  return (wallAt(one.timeZone, first + durationMinutes * 60_000).minute || 1440) - own;
}

const labelOf = (relaxation: Relaxation) => {
  const { change, email } = relaxation;
  if (change === 'shorter_duration') return `${change} ${relaxation.durationMinutes}`;
  if (change === 'more_days') return `${change} ${relaxation.endDate}`;
  if (change === 'without_rule') return `${change} ${email} ${relaxation.words}`;
  if (change === 'work_on_holiday') return `${change} ${email} ${relaxation.holiday.date}`;
  if (change === 'longer_hours')
    return `${change} ${email} ${relaxation.start === undefined ? `end ${relaxation.end}` : `start ${relaxation.start}`}`;
  if (change !== 'without_focus_block') return `${change} ${email}`;
  const { day, start, end } = relaxation.focusBlock;
  return `${change} ${email} ${day} ${start} ${end}`;
};

/**
 * Checks, for random searches that found nothing, that causes and changes are those of the oracle. Returns the kinds
 * that occurred.
 */
export function expectReasonsToAgree(sample: Sample) {
  const rules = new Set<string>();
  const changes = new Set<string>();
  fc.assert(
    fc.property(randomSearch, (random) => {
      const empty = { ...random, daysKnownAfter: 7 };
      fc.pre(candidateStarts(empty).length === 0);
      const causes = causesOf(empty);
      const named = causes.filter(({ email, rule }) => email !== null && rule !== 'work_hours');
      const under = (left?: Cause) =>
        allowedStarts(empty, (email, rule) =>
          named.some((cause) => cause !== left && cause.email === email && cause.rule === rule),
        ).length;
      expect(under()).toBe(0);
      for (const cause of named) expect(under(cause)).toBeGreaterThan(0);
      for (const { rule } of causes) rules.add(rule);

      const opened = [...changesOf(empty)].map(([label, changed]) => ({ label, opens: allowedStarts(changed).length }));
      const longest = opened.findLast(({ label, opens }) => label.startsWith('shorter') && opens > 0)?.label;
      const all = opened
        .filter(({ label, opens }) => opens > 0 && (!label.startsWith('shorter') || label === longest))
        .sort((a, b) => b.opens - a.opens);
      const relaxations = relaxationsOf(empty, bestStart);
      const found = relaxations.map((relaxation) => ({ label: labelOf(relaxation), opens: relaxation.opens }));
      expect(found.map(({ opens }) => opens)).toEqual(all.slice(0, 5).map(({ opens }) => opens));
      for (const one of found) expect(all).toContainEqual(one);
      for (const { change } of relaxations) changes.add(change);
    }),
    sample,
  );
  return { rules, changes };
}

/**
 * Checks that every minute of random weeks is what the minute-by-minute oracle says, and that the picks lie in free
 * bands.
 */
export function expectBandsToAgree({ numRuns, seed }: { numRuns: number; seed: number }): void {
  const seen = { minutes: 0, free: 0, picks: 0 };
  fc.assert(
    fc.property(randomSearch, (random) => {
      const { requester, other, window } = random;
      const week = localWeek(requester.timeZone, parseDate(window.start) ?? 0);
      const own = personBands(requester, week, requester.meetings.slice(1));
      const others = personBands(other, week);
      const common = commonBands(random, week, windowInterval(window, requester.timeZone));
      const wrong: string[] = [];
      week.forEach((day, i) => {
        for (let minute = 0; day.start + minute * MINUTE < day.end; minute++) {
          const instant = day.start + minute * MINUTE;
          const against = { requester: rulesAgainst(requester, instant), other: rulesAgainst(other, instant) };
          const isFree = isSearched(random, instant) && against.requester.length + against.other.length === 0;
          const shown = [
            shownAt(own[i], minute),
            shownAt(others[i], minute),
            isWithin(common[i], minute, minute + 1, 'free', 'too_short'),
          ].join();
          const expected = [expectedAt(against.requester), expectedAt(against.other), isFree].join();
          if (shown !== expected) wrong.push(`${new Date(instant).toISOString()} ${shown} is to be ${expected}`);
          seen.minutes++;
          if (isFree) seen.free++;
        }
      });
      expect(wrong).toEqual([]);
      const { slots } = findSlots(random);
      const places = slots.flatMap((slot) => placeOnDays(slot, week).map((place, i) => ({ place, bands: common[i] })));
      for (const { place, bands } of places)
        expect(place === undefined || isWithin(bands, place.from, place.to, 'free')).toBe(true);
      seen.picks += slots.length;
    }),
    { numRuns, seed },
  );
  expect(seen.minutes).toBeGreaterThan(numRuns * 6 * 1440);
  expect(seen.free).toBeGreaterThan(numRuns * 25);
  expect(seen.picks).toBeGreaterThan(numRuns / 2);
}

const RULE_BANDS = ['work', 'holiday', 'focus', 'never', 'full', 'busy', 'near'] as const;

function shownAt(bands: readonly Band[] = [], minute: number): string {
  const kinds = bands.filter(({ from, to }) => from < minute + 1 && to > minute).map(({ kind }) => kind);
  const has = (...some: BandKind[]) => some.some((kind) => kinds.includes(kind));
  const is = {
    work: has('work'),
    holiday: has('holiday'),
    focus: has('focus'),
    never: has('never'),
    full: has('full'),
    busy: has('busy', 'hold'),
    near: has('busy', 'hold', 'buffer'),
  };
  return RULE_BANDS.filter((kind) => is[kind]).join('+');
}

function expectedAt(against: readonly string[]): string {
  const works = !against.includes('work_hours');
  const is = {
    work: works,
    holiday: works && against.includes('holiday'),
    focus: against.includes('focus_block'),
    never: works && against.includes('standing_rule'),
    full: works && against.includes('day_limit'),
    busy: against.includes('busy'),
    near: against.includes('busy') || against.includes('buffer'),
  };
  return RULE_BANDS.filter((kind) => is[kind]).join('+');
}

const isWithin = (bands: readonly Band[] = [], start: number, end: number, ...kinds: BandKind[]) =>
  bands.some(({ kind, from, to }) => kinds.includes(kind) && from <= start && end <= to);

function isSearched({ requester, window, now }: Search, instant: number): boolean {
  const { date } = wallAt(requester.timeZone, instant);
  return date >= window.start && date <= window.end && instant >= now + 15 * MINUTE;
}
