import { DAY_MINUTES } from '../time/dates.ts';
import type { EnergyPattern } from '../types.ts';
import type { DayPlace } from './surroundings.ts';

const NOON = 12 * 60;

/** The part of the day in which a person of each energy pattern is at their best, as minutes of the day, or near it. */
const BEST_HOURS: Record<EnergyPattern, [from: number, to: number]> = {
  flexible: [0, DAY_MINUTES],
  morning_person: [0, NOON],
  afternoon_person: [NOON, 17 * 60],
  evening_person: [16 * 60, DAY_MINUTES],
};

/** A part of merit that counts for each person on their own clock: `number`, if it holds. `when` says when that is. */
const part = <const Name extends string>(name: Name, number: number, when: string) => ({ name, number, when });

/** Numbers between 0 and 1, fitted to choices between two times with equal scores (`test/stories/choices.ts`). */
export const PERSON_PARTS = [
  part(
    'start_of_day',
    0.55,
    'starts in the first half hour of their work hours; no edge counts at a time they like, and none that is in their `energy_pattern`',
  ),
  part('first_hour', 0.84, 'starts 30 to 59 minutes after they begin'),
  part('second_hour', 0.95, 'starts 60 to 89 minutes after they begin'),
  part('end_of_day', 0.5, 'ends in the last half hour of their work hours'),
  part('last_hour', 0.86, 'ends 30 to 59 minutes before they end'),
  part('next_to_a_meeting', 0.7, 'is within 10 minutes of a meeting, a focus block or a break on one side'),
  part('between_meetings', 0.55, 'is so on both sides instead'),
  part('free_stretch', 0.95, 'leaves 30 minutes to 2 hours on both sides, of 3 free work hours or more'),
  part('busy_day', 0.75, 'lasts 30 minutes or more, on a date with 4 hours of others; once if so for both'),
  part('full_day', 0.65, 'lasts as long, with 6 hours of others instead'),
  part('outside_day', 0.8, 'reaches up to an hour beyond 8:00–18:00'),
  part('far_outside_day', 0.5, 'reaches further instead'),
  part('half_day', 0.008, 'is on 24 or 31 December, before noon'),
  part('half_day_afternoon', 0.005, 'is on 24 or 31 December, at noon or later'),
  part('quiet_day', 0.01, 'is on 27 to 30 December, or between a public holiday and days off'),
  part('beside_days_off', 0.8, 'is from 13:00 before a holiday, or in the first 90 minutes of work after one or leave'),
  part('rather_not', 0.1, "breaks a rule they'd rather keep"),
  part('near_preferred', 0.45, 'is not on days and in hours they like, if they named any, but within 2 hours of one'),
  part('not_preferred', 0.3, 'is further from any they like instead'),
  part('not_best_hours', 0.8, 'is not in the hours of their `energy_pattern`'),
];

/** The bit of each person's part in the numbers that `partsHeld` returns, in the table's order. */
const BIT = Object.fromEntries(PERSON_PARTS.map(({ name }, i) => [name, 1 << i])) as Record<PersonPart, number>;

export const bitsOfParts = (names: Iterable<PartName>): number => {
  let bits = 0;
  for (const name of names) bits |= name in BIT ? BIT[name as PersonPart] : 0;
  return bits;
};

/** Everybody's days are full in a full week, so a full date of both counts once. */
const ONCE = BIT.busy_day | BIT.full_day;

/** Takes from the other person's parts those that count once and that the requester's day has. */
export const besideParts = (own: number, theirs: number): number => theirs & ~(own & ONCE);

export function timesParts(value: number, bits: number): number {
  let product = value;
  for (let i = 0; bits >> i > 0; i++) if ((bits >> i) & 1) product *= PERSON_PARTS[i]?.number ?? 1;
  return product;
}

export function partsHeld(at: DayPlace): number {
  const { length, afterOpening, beforeClosing, sinceLast, untilNext, meetingMinutes, outsideMinutes, season } = at;
  const { startMinute } = at.wall;
  let held = 0;
  const isLiked = at.taste === 'prefer';
  if (!isLiked && at.energyPattern !== 'morning_person' && afterOpening >= 0 && afterOpening < 90)
    held |= afterOpening < 30 ? BIT.start_of_day : afterOpening < 60 ? BIT.first_hour : BIT.second_hour;
  if (!isLiked && at.energyPattern !== 'evening_person' && beforeClosing >= 0 && beforeClosing < 60)
    held |= beforeClosing < 30 ? BIT.end_of_day : BIT.last_hour;
  if (at.sidesTaken > 0) held |= at.sidesTaken === 1 ? BIT.next_to_a_meeting : BIT.between_meetings;
  const [before, after] = [Math.min(sinceLast, afterOpening), Math.min(untilNext, beforeClosing)];
  if (before >= 30 && before < 120 && after >= 30 && after < 120 && before + length + after >= 180)
    held |= BIT.free_stretch;
  if (length >= 30 && meetingMinutes >= 240) held |= meetingMinutes < 360 ? BIT.busy_day : BIT.full_day;
  if (outsideMinutes >= 1) held |= outsideMinutes < 61 ? BIT.outside_day : BIT.far_outside_day;
  if (season === 'eve') held |= startMinute < NOON ? BIT.half_day : BIT.half_day_afternoon;
  if (season === 'quiet') held |= BIT.quiet_day;
  if (at.isBesideDaysOff) held |= BIT.beside_days_off;
  if (at.taste === 'rather_not') held |= BIT.rather_not;
  if (at.taste === 'near_preferred') held |= BIT.near_preferred;
  if (at.taste === 'not_preferred') held |= BIT.not_preferred;
  const [from, to] = BEST_HOURS[at.energyPattern];
  if (startMinute < from || startMinute >= to) held |= BIT.not_best_hours;
  return held;
}

/** The parts that count once for both people. `d` in a row's number counts working days. */
export const COMMON_PARTS = {
  short_notice: { number: 0.3, when: 'starts less than 2 hours from now' },
  after_the_night: {
    number: 0.4,
    when: 'starts within 24 hours, for a guest, or before somebody for whom it is night now (18:00–8:00) has had 2 work hours',
  },
  turn: { number: 0.5, when: 'is outside 8:00–18:00 for whoever has had more of that' },
  over_lunch: {
    number: 0.5,
    when: 'touches 12:00–13:00 for somebody whose lunch is at no other time; only when Tandem chooses',
  },
  met_that_day: { number: 0.5, when: 'is on a date on which the two meet already' },
  lead_time: {
    number: '1 ÷ (1 + 0.08 × d + 0.01 × d²)',
    when: 'starts d working days after today, by the calendar with the larger d; rounded to four places',
  },
  nearness: {
    number: '0.5 to the power of h ÷ 4',
    when: 'is h clock hours from the time asked for (a day counts as 6, earlier 1.1 times); for reschedules and alternatives, instead of `lead_time`',
  },
} as const;

type PersonPart = (typeof PERSON_PARTS)[number]['name'];
export type PartName = PersonPart | keyof typeof COMMON_PARTS;

/** A part of a time's merit that lowers it. `email` names the person whose day it is about, and is null for both. */
export interface MeritPart {
  name: PartName;
  email: string | null;
  value: number;
}

export const OVER_LUNCH: MeritPart = { name: 'over_lunch', email: null, value: COMMON_PARTS.over_lunch.number };

/** Returns the part for a number of working days until a meeting, rounded to the four places that answers show. */
export const leadAt = (days: number): number => fourPlaces(1 / (1 + 0.08 * days + 0.01 * days ** 2));

/** Hours of the clock that halve the nearness, those that a day counts as, and how much more an earlier time counts. */
const [HALVED_BY, DAY_COUNTS_AS, EARLIER] = [4, 6, 1.1];

/** A time before the asked one counts as a little farther, because it leaves less time to prepare. */
export const nearnessAt = (days: number, hours: number, isBefore: boolean): number =>
  0.5 ** (((days * DAY_COUNTS_AS + hours) * (isBefore ? EARLIER : 1)) / HALVED_BY);

/** Rounds a value to four decimal places, as API answers show products, comfort and merit. */
export const fourPlaces = (value: number): number => Math.round(value * 10_000) / 10_000;

/** The best time of an answer is taken first, and then each next one by its merit × these. */
export const SPREAD = {
  same_date: { number: 0.3, when: 'for each taken on its date, twice at most' },
  side_by_side: { number: 0.3, when: 'starts within an hour of one on its date' },
  same_clock: { number: 0.75, when: 'is within two hours of the clock time of one taken' },
  same_half: { number: 0.8, when: 'is in the same half of the day as all taken' },
} as const;
