import type { EnergyPattern } from '../types.ts';
import type { DayPlace } from './surroundings.ts';

/** A part of a time's merit that counts for each of the two people, on their own clock: `number`, if it holds. */
export interface PersonPart {
  name: string;
  number: number;
  /** When the part holds, as the words after "when the meeting". */
  when: string;
  holds: (place: DayPlace) => boolean;
}

const NOON = 12 * 60;

/** The part of the day in which a person of each energy pattern is at their best, as minutes of the day. */
const BEST_HOURS: Record<EnergyPattern, [from: number, to: number] | undefined> = {
  flexible: undefined,
  morning_person: [0, NOON],
  afternoon_person: [NOON, 17 * 60],
  evening_person: [17 * 60, 24 * 60],
};

/**
 * The parts that count for each person. All numbers lie between 0 and 1, and are fitted to the choices of people who
 * were shown a calendar and two times with equal scores (`test/stories/choices.ts`).
 */
export const PERSON_PARTS = [
  {
    name: 'first_half_hour',
    number: 0.55,
    when: 'starts in the first half hour of their work hours',
    holds: ({ afterOpening }) => afterOpening >= 0 && afterOpening < 30,
  },
  {
    name: 'first_hour',
    number: 0.84,
    when: 'starts 30 to 59 minutes after they begin',
    holds: ({ afterOpening }) => afterOpening >= 30 && afterOpening < 60,
  },
  {
    name: 'second_hour',
    number: 0.95,
    when: 'starts 60 to 89 minutes after they begin',
    holds: ({ afterOpening }) => afterOpening >= 60 && afterOpening < 90,
  },
  {
    name: 'last_half_hour',
    number: 0.5,
    when: 'ends in the last half hour of their work hours',
    holds: ({ beforeClosing }) => beforeClosing >= 0 && beforeClosing < 30,
  },
  {
    name: 'last_hour',
    number: 0.86,
    when: 'ends 30 to 59 minutes before they end',
    holds: ({ beforeClosing }) => beforeClosing >= 30 && beforeClosing < 60,
  },
  {
    name: 'next_to_a_meeting',
    number: 0.7,
    when: 'has another meeting or a focus block within 10 minutes on one side',
    holds: ({ sidesTaken }) => sidesTaken === 1,
  },
  {
    name: 'between_meetings',
    number: 0.55,
    when: 'has them on both sides',
    holds: ({ sidesTaken }) => sidesTaken === 2,
  },
  {
    name: 'splits_free_time',
    number: 0.95,
    when: 'takes the middle of at least 3 free hours and leaves less than 2 in one piece',
    holds: ({ sinceLast, untilNext, afterOpening, beforeClosing, length }) => {
      const [before, after] = [Math.min(sinceLast, afterOpening), Math.min(untilNext, beforeClosing)];
      return before >= 30 && after >= 30 && before < 120 && after < 120 && before + length + after >= 180;
    },
  },
  {
    name: 'busy_day',
    number: 0.75,
    when: 'takes half an hour or more of a date with 4 to 6 hours of other meetings',
    holds: ({ meetingMinutes, length }) => length >= 30 && meetingMinutes >= 240 && meetingMinutes < 360,
  },
  {
    name: 'full_day',
    number: 0.65,
    when: 'takes it of a date with 6 hours of other meetings or more',
    holds: ({ meetingMinutes, length }) => length >= 30 && meetingMinutes >= 360,
  },
  {
    name: 'outside_day',
    number: 0.8,
    when: 'reaches up to an hour beyond 8:00–18:00',
    holds: ({ outsideMinutes }) => outsideMinutes > 0 && outsideMinutes <= 60,
  },
  {
    name: 'far_outside_day',
    number: 0.5,
    when: 'reaches further beyond 8:00–18:00',
    holds: ({ outsideMinutes }) => outsideMinutes > 60,
  },
  {
    name: 'eve',
    number: 0.008,
    when: 'is on 24 or 31 December, before noon',
    holds: ({ season, wall }) => season === 'eve' && wall.startMinute < NOON,
  },
  {
    name: 'eve_afternoon',
    number: 0.005,
    when: 'is on 24 or 31 December, at noon or later',
    holds: ({ season, wall }) => season === 'eve' && wall.startMinute >= NOON,
  },
  {
    name: 'quiet_day',
    number: 0.01,
    when: 'is on 27 to 30 December, or between a public holiday and days off',
    holds: ({ season }) => season === 'quiet',
  },
  {
    name: 'rather_not',
    number: 0.1,
    when: "breaks a rule they'd rather not break (`scheduling_context`)",
    holds: ({ taste }) => taste === 'rather_not',
  },
  {
    name: 'not_preferred',
    number: 0.3,
    when: 'is not at a time they said they like, if they named any',
    holds: ({ taste }) => taste === 'not_preferred',
  },
  {
    name: 'not_best_hours',
    number: 0.8,
    when: 'is not in the part of the day of their `energy_pattern`; when Tandem chooses, a factor counts instead',
    holds: ({ energyPattern, wall }) => {
      const best = BEST_HOURS[energyPattern];
      return best !== undefined && (wall.startMinute < best[0] || wall.startMinute >= best[1]);
    },
  },
] as const satisfies PersonPart[];

/** The parts that count once for both people. `d` in a row's number counts working days. */
export const COMMON_PARTS = {
  within_two_hours: { number: 0.3, when: 'starts less than 2 hours from now' },
  after_the_night: {
    number: 0.5,
    when: 'starts within 24 hours, while it is night for one of them (before 8:00, after 18:00), with less than 2 hours of their work before it',
  },
  turn: {
    number: 0.5,
    when: 'is outside 8:00–18:00 for whoever has had more minutes there in meetings of the two; only when Tandem chooses',
  },
  lead_time: {
    number: '1 ÷ (1 + 0.08 × d + 0.01 × d²)',
    when: 'starts d of their working days after today, for whom d is larger',
  },
  nearness: {
    number: '0.5 to the power of h ÷ 4',
    when: 'is h hours of the clock from the time asked for, where a day counts as 6 and what lies before it 1.1 times; in place of `lead_time`, and only for a reschedule and alternatives',
  },
} as const;

export type PartName = (typeof PERSON_PARTS)[number]['name'] | keyof typeof COMMON_PARTS;

/** A part of a time's merit that lowers it. `email` names the person whose day it is about, and is null for both. */
export interface MeritPart {
  name: PartName;
  email: string | null;
  value: number;
}

/** Returns the part for a number of working days until a meeting, rounded to the four places that answers show. */
export const leadAt = (days: number): number => fourPlaces(1 / (1 + 0.08 * days + 0.01 * days ** 2));

/** Hours of the clock that halve the nearness, those that a day counts as, and how much more an earlier time counts. */
const [HALVED_BY, DAY_COUNTS_AS, EARLIER] = [4, 6, 1.1];

/**
 * Returns the part for a distance in days and hours of the clock from the time that was asked for. A time before it
 * counts as a little farther, because it leaves people less time to prepare.
 */
export const nearnessAt = (days: number, hours: number, isBefore: boolean): number =>
  0.5 ** (((days * DAY_COUNTS_AS + hours) * (isBefore ? EARLIER : 1)) / HALVED_BY);

/** Rounds a value to four decimal places, as API answers show products, comfort and merit. */
export const fourPlaces = (value: number): number => Math.round(value * 10_000) / 10_000;

/**
 * The parts by which the times of one answer are kept apart. The best time is taken first, and then each next one by its
 * merit × these.
 */
export const SPREAD = {
  same_date: { number: 0.3, when: 'is on a date with a time taken already' },
  side_by_side: { number: 0.3, when: 'starts within an hour of one on its date' },
  same_clock: { number: 0.75, when: 'starts within two hours of the clock time of one taken' },
  same_half: { number: 0.8, when: 'is in the half of the day in which all taken so far are' },
} as const;
