import { openInstants, WORK_HOURS_ONLY } from '../rules/free-time.ts';
import { DAY, HOUR, MINUTE, WEEKDAYS, weekdayIndex } from '../time/dates.ts';
import { cut, edgeAt, overlaps } from '../time/intervals.ts';
import { emptyMoment, type Moment, readWallTime } from '../time/moment.ts';
import { type Days, daysAround, daysElsewhere } from '../time/wall-instants.ts';
import { windowDays } from '../time/window.ts';
import { localDay, offsetAt, offsetSpans } from '../time/zone.ts';
import type { Search, SearchedPerson } from '../types.ts';
import {
  besideParts,
  bitsOfParts,
  COMMON_PARTS,
  leadAt,
  type MeritPart,
  type PartName,
  PERSON_PARTS,
  partsHeld,
  timesParts,
} from './parts.ts';
import { scoreOf, toScore } from './score.ts';
import { type Around, aroundOf } from './surroundings.ts';

const LONGEST_MEETING = DAY;

/** The parts that come before the product on two empty calendars: days that many take off, and what people said. */
const STATED = bitsOfParts([
  'half_day',
  'half_day_afternoon',
  'quiet_day',
  'rather_not',
  'near_preferred',
  'not_preferred',
  'not_best_hours',
]);

/** How a ranking differs from that of a plain search. */
export interface Weighing {
  /** Returns the product of a time's factors, instead of that of the ranking table. */
  productAt?: (moment: Moment) => number;
  /** Returns the number that decides before merit, instead of the score. Higher comes first. */
  tierAt?: (moment: Moment, product: number) => number;
  /** Parts that do not count, because a factor or another part counts in their place. */
  without?: ReadonlySet<PartName>;
  /** Parts that count once for both people in this ranking alone. */
  more?: (moment: Moment, around: readonly [Around, Around]) => readonly MeritPart[];
  /** The days on which calendars are read, instead of those of the window. */
  days?: Days;
}

/** Possible starts of a meeting in order of time, with the numbers that rank them. All lists share one index. */
export interface Weighed {
  starts: readonly number[];
  /** The number that decides before merit: the score, in a search. */
  tiers: Float64Array;
  products: Float64Array;
  /** The requester's local day of each start, counted from 1970-01-01, and the minute of that day. */
  days: Float64Array;
  minutes: Float64Array;
  /** Returns a start's merit: product × comfort. It is computed when first needed. */
  meritAt: (i: number) => number;
  /** Returns the most that a start's merit can be, which costs less to know. */
  mostAt: (i: number) => number;
  comfortAt: (i: number) => number;
  /** Returns the parts whose product is the comfort of a start. Leaves out parts that change nothing. */
  partsAt: (i: number) => MeritPart[];
  /** The views of the two people's calendars that find where a meeting lies in their day, the requester's first. */
  around: readonly [Around, Around];
}

/** The largest difference at which two merits count as equal. It absorbs rounding errors. */
const TOLERANCE = 1e-9;

export const bestFirst =
  ({ tiers, meritAt }: Weighed) =>
  (a: number, b: number): number => {
    const gap = edgeAt(tiers, b) - edgeAt(tiers, a);
    if (gap !== 0) return gap;
    const lead = meritAt(b) - meritAt(a);
    return Math.abs(lead) > TOLERANCE ? lead : a - b;
  };

export function momentAt(search: Search, start: number): Moment {
  const moment = emptyMoment(search.now);
  readMoment(moment, clocksOf(search, start, start), start, search.durationMinutes * MINUTE);
  return moment;
}

/** Comfort does not depend on which of the two is the requester (schema/DECISIONS.md, "Merit"). */
export function weigh(search: Search, starts: readonly number[], how: Weighing = {}): Weighed {
  const { requester, other, now } = search;
  const { productAt = scoreOf, tierAt, without, more } = how;
  const count = starts.length;
  const [tiers, products] = [new Float64Array(count), new Float64Array(count)];
  const [days, minutes] = [new Float64Array(count), new Float64Array(count)];
  // Until a start's comfort is needed, it is less than 0 and has only what all starts of its date have in common.
  const comforts = new Float64Array(count);
  const [first, last] = [starts[0] ?? now, starts[count - 1] ?? now];
  const read = how.days ?? daysElsewhere(windowDays(search.window));
  const [own, theirs] = [aroundOf(requester, read), aroundOf(other, read)];
  const clocks = clocksOf(search, first, last);
  const duration = search.durationMinutes * MINUTE;
  const moment = emptyMoment(now);
  const [ownDaysTo, theirDaysTo] = [workdaysUntil(requester, now), workdaysUntil(other, now)];
  const hasLead = without?.has('lead_time') !== true;
  const leadOf = (at: Moment) =>
    hasLead ? leadAt(Math.max(ownDaysTo(at.requester.day), theirDaysTo(at.other.day))) : 1;
  const [ownDaysMet, theirDaysMet] = [daysMet(requester, other), daysMet(other, requester)];
  const metOn = (at: Moment) =>
    ownDaysMet.has(at.requester.day) || theirDaysMet.has(at.other.day) ? COMMON_PARTS.met_that_day.number : 1;
  const readAt = first - now > DAY ? now : Math.max(readBy(requester, now), readBy(other, now));
  const noticeAt = (start: number) => {
    if (isShortNotice(start, now)) return COMMON_PARTS.short_notice.number;
    return start < readAt && start - now <= DAY ? COMMON_PARTS.after_the_night.number : 1;
  };
  // Starts of one date have one lead, so it is not computed for each.
  let [ownDay, theirDay, lead] = [Number.NaN, Number.NaN, 1];
  for (let i = 0; i < count; i++) {
    const start = starts[i] as number;
    readMoment(moment, clocks, start, duration);
    const { day, startMinute } = moment.requester;
    const product = productAt(moment);
    products[i] = product;
    tiers[i] = tierAt === undefined ? toScore(product) : tierAt(moment, product);
    days[i] = day;
    minutes[i] = startMinute;
    if (day !== ownDay || moment.other.day !== theirDay) {
      ownDay = day;
      theirDay = moment.other.day;
      lead = leadOf(moment) * metOn(moment);
    }
    comforts[i] = start - now > DAY ? -lead : -lead * noticeAt(start);
  }
  const counted = ~bitsOfParts(without ?? []);
  const comfortAt = (i: number): number => {
    const known = edgeAt(comforts, i);
    if (known > 0) return known;
    readMoment(moment, clocks, edgeAt(starts, i), duration);
    let comfort = lowered(-known, counted);
    if (more !== undefined) for (const { value } of more(moment, [own, theirs])) comfort *= value;
    comforts[i] = comfort;
    return comfort;
  };
  const partsAt = (i: number): MeritPart[] => {
    readMoment(moment, clocks, edgeAt(starts, i), duration);
    const { start } = moment;
    const heldBy = (around: Around, wall: Moment['requester']) => partsHeld(around.of(start, start + duration, wall));
    const ownHeld = heldBy(own, moment.requester);
    const ofPerson = (email: string, held: number) =>
      PERSON_PARTS.flatMap(({ name, number }, i) =>
        ((held & counted) >> i) & 1 ? [{ name, email, value: number }] : [],
      );
    const common = (name: PartName, value: number) => (value < 1 ? [{ name, email: null, value }] : []);
    return [
      ...ofPerson(requester.email, ownHeld),
      ...ofPerson(other.email, besideParts(ownHeld, heldBy(theirs, moment.other))),
      ...common(isShortNotice(start, now) ? 'short_notice' : 'after_the_night', noticeAt(start)),
      ...common('met_that_day', metOn(moment)),
      ...common('lead_time', leadOf(moment)),
      ...(more?.(moment, [own, theirs]) ?? []),
    ];
  };
  const meritAt = (i: number) => (products[i] as number) * comfortAt(i);
  const mostAt = (i: number) => (products[i] as number) * Math.abs(comforts[i] as number);
  if (
    how.productAt === undefined &&
    [requester, other].every(({ busy, meetings }) => busy.length + meetings.length === 0)
  )
    putHighestProductFirst();
  return { starts, tiers, products, days, minutes, meritAt, mostAt, comfortAt, partsAt, around: [own, theirs] };

  /** Multiplies a value by the numbers of these parts that hold for either person at the moment that was read last. */
  function lowered(value: number, by: number): number {
    const { start, requester: ownWall, other: theirWall } = moment;
    const ownHeld = partsHeld(own.of(start, start + duration, ownWall));
    const theirHeld = besideParts(ownHeld, partsHeld(theirs.of(start, start + duration, theirWall)));
    return timesParts(timesParts(value, ownHeld & by), theirHeld & by);
  }

  function putHighestProductFirst(): void {
    let [best, highest] = [-1, 0];
    for (let i = 0; i < count; i++) {
      if (edgeAt(products, i) < highest - TOLERANCE) continue;
      readMoment(moment, clocks, edgeAt(starts, i), duration);
      const product = lowered(edgeAt(products, i), STATED);
      const lead = product - highest;
      if (lead < -TOLERANCE || (lead <= TOLERANCE && meritAt(i) <= meritAt(best) + TOLERANCE)) continue;
      [best, highest] = [i, product];
    }
    if (best >= 0) tiers[best] = Number.POSITIVE_INFINITY;
  }
}

function clocksOf({ requester, other }: Search, first: number, last: number) {
  return {
    requester: offsetSpans(requester.timeZone, first, last + LONGEST_MEETING),
    other: offsetSpans(other.timeZone, first, last + LONGEST_MEETING),
  };
}

function readMoment(moment: Moment, clocks: ReturnType<typeof clocksOf>, start: number, duration: number): void {
  moment.start = start;
  readWallTime(moment.requester, clocks.requester, start, start + duration);
  readWallTime(moment.other, clocks.other, start, start + duration);
}

const daysMet = ({ timeZone, meetings }: SearchedPerson, other: SearchedPerson): ReadonlySet<number> =>
  new Set(
    meetings.flatMap(({ start, takenBy, isMeeting = true }) =>
      isMeeting && takenBy !== undefined && other.meetings.some((one) => one.takenBy === takenBy)
        ? [localDay(timeZone, start)]
        : [],
    ),
  );

/** Returns a function that counts the person's working days after today, up to a local day and with it. */
function workdaysUntil({ timeZone, workHours }: SearchedPerson, now: number): (day: number) => number {
  const today = localDay(timeZone, now);
  const works = WEEKDAYS.map((weekday) => workHours[weekday].enabled);
  let [known, count] = [today, 0];
  return (day) => {
    if (day < known) [known, count] = [today, 0];
    while (known < day) if (works[weekdayIndex(++known)]) count++;
    return count;
  };
}

/** The time between two nights, from 8:00 to 18:00, in minutes since midnight. */
const [EARLIEST, LATEST] = [480, 1080];

export const isShortNotice = (start: number, now: number): boolean => start - now < 2 * HOUR;

/**
 * At night and not at work, a person reads of a meeting only after two hours of work, so an earlier one is short
 * notice. A guest, whose calendar nobody knows, gets a day to answer. Returns `now` for everybody else, and for work that
 * begins later than in 24 hours. With `isAlsoAtWork`, it may be evening and the person still at work.
 */
export function readBy(person: SearchedPerson, now: number, isAlsoAtWork = false): number {
  const tomorrow = now + DAY;
  if (person.unknown !== undefined) return tomorrow + 1;
  const minute = ((now + offsetAt(person.timeZone, now)) % DAY) / MINUTE;
  if (minute >= EARLIEST && minute < LATEST) return now;
  const hours = openInstants(person, daysAround({ start: now, end: tomorrow }), { ...WORK_HOURS_ONLY, holidays: true });
  if (!isAlsoAtWork && overlaps(hours, { start: now, end: now + 1 })) return now;
  const work = cut(hours, now, tomorrow);
  let left = 2 * HOUR;
  for (let i = 0; i < work.length; i += 2) {
    const [from, to] = [edgeAt(work, i), edgeAt(work, i + 1)];
    if (to - from > left) return from + left;
    left -= to - from;
  }
  return tomorrow + 1;
}
