import { findSlots } from '../../lib/engine/rank/find-slots.ts';
import { isShortNotice, momentAt, readBy } from '../../lib/engine/rank/merit.ts';
import { rankAuto } from '../../lib/engine/rank/rank-auto.ts';
import { scoreOf, toScore } from '../../lib/engine/rank/score.ts';
import { seasonsOf } from '../../lib/engine/rank/surroundings.ts';
import { candidateStarts } from '../../lib/engine/rules/free-time.ts';
import { HOUR, MINUTE, parseMinute } from '../../lib/engine/time/dates.ts';
import { inOrder, toIntervals } from '../../lib/engine/time/intervals.ts';
import { type WallTime, weekdayOf } from '../../lib/engine/time/moment.ts';
import type { Search, SearchedPerson } from '../../lib/engine/types.ts';
import { withWords } from '../../lib/words/slots.ts';
import { PAIRS, pairAt, swapped } from './corpus.ts';

interface Candidate {
  start: number;
  day: number;
  score: number;
  isEdge: boolean;
  /** An edge that a sentence names: the first half hour, or the last from 16:00 on. */
  isToldEdge: boolean;
  touches: boolean;
  isHoliday: boolean;
  isQuietDay: boolean;
  /** Within two hours of now, or early in the next working day of a person for whom it is night now. */
  isShortNotice: boolean;
}

/** A figure of the corpus: how many of how many, and the largest or smallest share that it may have. */
export interface Figure {
  name: string;
  count: number;
  of: number;
  atMost?: number;
  atLeast?: number;
}

export function figuresOf(): Figure[] {
  const sum = { picks: 0, edges: 0, touching: 0, five: 0, spread: 0, close: 0, quiet: 0, holidays: 0, lower: 0 };
  const sentences = { answers: 0, different: 0, costs: 0, silent: 0 };
  const auto = { pairs: 0, alike: 0 };
  for (let i = 0; i < PAIRS; i++) {
    const search = pairAt(i);
    const all = candidateStarts(search).map((start) => candidateAt(search, start));
    const best = Math.max(...all.map(({ score }) => score));
    const picks = findSlots(search).slots.map(({ start }) => candidateAt(search, start));
    sum.picks += picks.length;
    for (const [place, pick] of picks.entries()) {
      if (pick.isHoliday) sum.holidays++;
      if (picks.slice(place + 1).some(({ score }) => score > pick.score)) sum.lower++;
      const others = picks.filter((other) => other !== pick);
      const better = all.filter((one) => fitsInstead(one, pick, others));
      if (pick.isEdge && better.some(({ isEdge }) => !isEdge)) sum.edges++;
      if (pick.touches && better.some(({ touches, isEdge }) => !touches && (pick.isEdge || !isEdge))) sum.touching++;
      const isTaken = (one: Candidate) => picks.slice(0, place).some(({ day }) => day === one.day);
      if (pick.isQuietDay && all.some((one) => one.score === 1 && !one.isQuietDay && !isTaken(one))) sum.quiet++;
    }
    const dates = (some: Candidate[]) => new Set(some.map(({ day }) => day)).size;
    if (dates(all.filter(({ score, isQuietDay }) => score === best && !isQuietDay)) >= 5) {
      sum.five++;
      if (dates(picks) === 5) sum.spread++;
      if (picks.some((one) => picks.some((two) => one !== two && Math.abs(one.start - two.start) < 2 * HOUR)))
        sum.close++;
    }
    const reasons = withWords(findSlots(search)).slots.map(({ reason }) => reason);
    for (const [at, pick] of picks.entries()) {
      if (!hasCost(pick)) continue;
      sentences.costs++;
      if (SAYS_ONLY_WHEN.test(reasons[at] ?? '')) sentences.silent++;
    }
    if (reasons.length === 5) {
      sentences.answers++;
      if (new Set(reasons).size === 5) sentences.different++;
    }
    const [one, two] = [rankAuto(search).ranked[0], rankAuto(swapped(search)).ranked[0]];
    if (one === undefined && two === undefined) continue;
    auto.pairs++;
    if (one?.start === two?.start) auto.alike++;
  }
  const { picks: of, five } = sum;
  return [
    { name: 'picks at an edge although a time of equal score fits as well', count: sum.edges, of, atMost: 0.02 },
    {
      name: 'picks that touch a meeting although a time of equal score fits as well',
      count: sum.touching,
      of,
      atMost: 0.02,
    },
    { name: 'picks before one with a higher score', count: sum.lower, of, atMost: 0 },
    { name: 'answers on five dates, where five are free', count: sum.spread, of: five, atLeast: 0.95 },
    {
      name: 'answers with two picks within two hours, where five dates are free',
      count: sum.close,
      of: five,
      atMost: 0,
    },
    { name: 'picks on a quiet day before an ordinary one', count: sum.quiet, of, atMost: 0 },
    { name: "picks on a public holiday of either person's", count: sum.holidays, of, atMost: 0 },
    { name: 'answers whose five sentences differ', count: sentences.different, of: sentences.answers, atLeast: 0.98 },
    {
      name: 'picks with a cost whose sentence says only when they are',
      count: sentences.silent,
      of: sentences.costs,
      atMost: 0,
    },
    { name: 'pairs for whom auto picks the same time in either order', count: auto.alike, of: auto.pairs, atLeast: 1 },
  ];
}

/** Matches a sentence without a reason: "Tuesday, 9 January at 10:30 in Berlin, 9:30 in London." */
const SAYS_ONLY_WHEN = /^\w+day, \d+ \w+ at \d+:\d+(?: [^,:]+)?(?:, \d+:\d+(?: [^,:()]+)?)?\.$/;

/** Returns true if somebody pays for a time: it is at an edge of their day, touches a meeting, comes soon or is on a quiet day. */
const hasCost = ({ isToldEdge, touches, isShortNotice, isQuietDay }: Candidate): boolean =>
  isToldEdge || touches || isShortNotice || isQuietDay;

/** Writes a figure as a line: "2 of 1000 (0.2 %)". */
export const sayFigure = ({ count, of }: Figure): string => `${count} of ${of} (${((100 * count) / of).toFixed(1)} %)`;

export const keepsBound = ({ count, of, atMost = 1, atLeast = 0 }: Figure): boolean =>
  count / of <= atMost && count / of >= atLeast;

/**
 * Returns true if a time has the score of a pick and could stand in its place: on the same date or a free one within two
 * days, apart from the others, and on no day that people like to take off.
 */
function fitsInstead(one: Candidate, pick: Candidate, others: Candidate[]): boolean {
  if (one.score !== pick.score || one.isShortNotice || (one.isQuietDay && !pick.isQuietDay)) return false;
  const isNear = Math.abs(one.day - pick.day) <= 2;
  const isDate = others.every(({ day }) => day !== one.day);
  return isNear && isDate && others.every(({ start }) => Math.abs(start - one.start) >= 2 * HOUR);
}

function candidateAt(search: Search, start: number): Candidate {
  const moment = momentAt(search, start);
  const end = start + search.durationMinutes * MINUTE;
  const people = [
    [search.requester, moment.requester],
    [search.other, moment.other],
  ] as const;
  return {
    start,
    day: moment.requester.day,
    score: toScore(scoreOf(moment)),
    isEdge: people.some(([person, wall]) => isAtEdge(person, wall)),
    isToldEdge: people.some(
      ([person, wall]) => isAtEdge(person, wall) && (wall.startMinute < 12 * 60 || wall.startMinute >= 16 * 60),
    ),
    touches: people.some(([person]) =>
      toIntervals(inOrder(person.busy)).some((busy) => busy.end === start || busy.start === end),
    ),
    isShortNotice: isShortNotice(start, search.now) || people.some(([person]) => start < readBy(person, search.now)),
    isQuietDay: people.some(([person, { day }]) => seasonsOf(person)(day) !== undefined),
    isHoliday: people.some(([{ holidays }, { day }]) => holidays?.has(day)),
  };
}

/** The first and the last half hour of a person's own work hours are the edges of their day. */
function isAtEdge({ workHours }: SearchedPerson, wall: WallTime): boolean {
  const { start, end } = workHours[weekdayOf(wall)];
  return wall.startMinute < parseMinute(start) + 30 || wall.endMinute > parseMinute(end) - 30;
}
