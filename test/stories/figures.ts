import type { AutoSearch } from '../../lib/engine/rank/auto-factors.ts';
import { quietDaysOf } from '../../lib/engine/rank/comfort.ts';
import { findSlots } from '../../lib/engine/rank/find-slots.ts';
import { isOvernight, isShortNotice } from '../../lib/engine/rank/overnight.ts';
import { rankAuto } from '../../lib/engine/rank/rank-auto.ts';
import { momentAt } from '../../lib/engine/rank/ranked.ts';
import { scoreOf } from '../../lib/engine/rank/score.ts';
import { candidateStarts } from '../../lib/engine/rules/candidates.ts';
import { HOUR, MINUTE, parseMinute } from '../../lib/engine/time/dates.ts';
import { inOrder, toIntervals } from '../../lib/engine/time/intervals.ts';
import { type WallTime, weekdayOf } from '../../lib/engine/time/moment.ts';
import type { Search, SearchedPerson } from '../../lib/engine/types.ts';
import { withWords } from '../../lib/words/found.ts';
import { PAIRS, pairAt, swapped } from './corpus.ts';

/** The functions of an engine whose answers are measured: today's, or that of an earlier commit. */
export interface Measured {
  findSlots: (search: Search) => { slots: { start: number }[] };
  rankAuto: (search: AutoSearch) => { ranked: { start: number }[] };
  /** The sentences of the slots that a search offers. */
  reasonsOf: (search: Search) => string[];
}

const today: Measured = {
  findSlots,
  rankAuto,
  reasonsOf: (search) => withWords(findSlots(search)).slots.map(({ reason }) => reason),
};

interface Candidate {
  start: number;
  day: number;
  product: number;
  isEdge: boolean;
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

/** Measures an engine's answers on the corpus. */
export function figuresOf(engine: Measured = today): { figures: Figure[]; meanProduct: number } {
  const sum = { picks: 0, edges: 0, touching: 0, five: 0, close: 0, closeWithoutNeed: 0, holidays: 0, product: 0 };
  const sentences = { answers: 0, different: 0, apart: 0, costs: 0, silent: 0 };
  const auto = { pairs: 0, alike: 0 };
  for (let i = 0; i < PAIRS; i++) {
    const search = pairAt(i);
    const all = candidateStarts(search).map((start) => candidateAt(search, start));
    const picks = engine.findSlots(search).slots.map(({ start }) => candidateAt(search, start));
    sum.picks += picks.length;
    for (const pick of picks) {
      sum.product += pick.product;
      if (pick.isHoliday) sum.holidays++;
      const others = picks.filter((other) => other !== pick);
      const better = all.filter((one) => fitsInstead(one, pick, others, search));
      if (pick.isEdge && better.some(({ isEdge }) => !isEdge)) sum.edges++;
      if (pick.touches && better.some(({ touches, isEdge }) => !touches && (pick.isEdge || !isEdge))) sum.touching++;
    }
    const isClose = picks.some((one) => picks.some((two) => one !== two && Math.abs(one.start - two.start) < 2 * HOUR));
    if (new Set(all.map(({ day }) => day)).size >= 5) {
      sum.five++;
      if (isClose) sum.close++;
      if (isCloseWithoutNeed(all, picks)) sum.closeWithoutNeed++;
    }
    const reasons = engine.reasonsOf(search);
    for (const [at, pick] of picks.entries()) {
      if (!hasCost(pick)) continue;
      sentences.costs++;
      if (SAYS_ONLY_WHEN.test(reasons[at] ?? '')) sentences.silent++;
    }
    if (reasons.length === 5) {
      sentences.answers++;
      if (new Set(reasons).size === 5) sentences.different++;
      if (new Set(reasons.map(withoutTimes)).size === 5) sentences.apart++;
    }
    const [one, two] = [engine.rankAuto(search).ranked[0], engine.rankAuto(swapped(search)).ranked[0]];
    if (one === undefined && two === undefined) continue;
    auto.pairs++;
    if (one?.start === two?.start) auto.alike++;
  }
  const { picks: of, five } = sum;
  const figures = [
    { name: 'picks at an edge although an equal time fits as well', count: sum.edges, of, atMost: 0.02 },
    { name: 'picks that touch a meeting although an equal time fits as well', count: sum.touching, of, atMost: 0.08 },
    { name: 'answers with two picks within two hours, where five dates are free', count: sum.close, of: five },
    {
      name: 'of these, where another date has a time with three quarters of the product',
      count: sum.closeWithoutNeed,
      of: five,
      atMost: 0,
    },
    { name: "picks on a public holiday of either person's", count: sum.holidays, of, atMost: 0 },
    { name: 'answers whose five sentences differ', count: sentences.different, of: sentences.answers, atLeast: 0.98 },
    {
      name: 'answers whose five sentences differ, without their dates and clock times',
      count: sentences.apart,
      of: sentences.answers,
      // Where nothing sets a time apart but its date, its sentence has the date alone.
      atLeast: 0.5,
    },
    {
      name: 'picks with a cost whose sentence says only when they are',
      count: sentences.silent,
      of: sentences.costs,
      atMost: 0,
    },
    { name: 'pairs for whom auto picks the same time in either order', count: auto.alike, of: auto.pairs, atLeast: 1 },
  ];
  return { figures, meanProduct: sum.product / sum.picks };
}

/** Matches a sentence without a reason: "Tuesday, 9 January at 10:30 in Berlin, 9:30 in London." */
const SAYS_ONLY_WHEN = /^\w+day, \d+ \w+ at \d+:\d+(?: [^,:]+)?(?:, \d+:\d+(?: [^,:()]+)?)?\.$/;

/** Returns true if somebody pays for a time: it is at an edge of their day, touches a meeting, comes soon or is on a quiet day. */
const hasCost = ({ isEdge, touches, isShortNotice, isQuietDay }: Candidate): boolean =>
  isEdge || touches || isShortNotice || isQuietDay;

const TIMES = /(?: (?:at|on))? ?\b(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day(?:, \d{1,2} \w+)?|\d{1,2}:\d\d)\b/g;

/** Returns a sentence without its weekdays, dates and clock times. */
export const withoutTimes = (reason: string): string => reason.replaceAll(TIMES, '');

/** Writes a figure as a line: "2 of 1000 (0.2 %)". */
export const sayFigure = ({ count, of }: Figure): string => `${count} of ${of} (${((100 * count) / of).toFixed(1)} %)`;

/** Returns true if a figure keeps its bound. */
export const keepsBound = ({ count, of, atMost = 1, atLeast = 0 }: Figure): boolean =>
  count / of <= atMost && count / of >= atLeast;

/** Returns true if a time has the product of a pick and could stand in its place: on its date or a free one, apart, and on no day that people like to take off. */
function fitsInstead(one: Candidate, pick: Candidate, others: Candidate[], { durationMinutes }: Search): boolean {
  if (Math.abs(one.product - pick.product) > 1e-9 || one.isShortNotice) return false;
  const isFar = (at: Candidate) => others.every(({ start }) => Math.abs(start - at.start) >= 2 * HOUR);
  const isClear = others.every(({ start }) => Math.abs(start - one.start) >= durationMinutes * MINUTE);
  const isDate = one.day === pick.day || others.every(({ day }) => day !== one.day);
  return isClear && isDate && (isFar(one) || !isFar(pick)) && (!one.isQuietDay || pick.isQuietDay);
}

/** Returns true if two picks are within two hours, although a time on another date could stand in the place of one. */
function isCloseWithoutNeed(all: Candidate[], picks: Candidate[]): boolean {
  const isFar = (one: Candidate, two: Candidate) => Math.abs(one.start - two.start) >= 2 * HOUR;
  return picks.some((pick) => {
    const others = picks.filter((other) => other !== pick);
    const isInstead = (one: Candidate) =>
      one.product >= 0.75 * pick.product - 1e-9 &&
      !one.isShortNotice &&
      others.every((other) => other.day !== one.day && isFar(one, other));
    return others.some((other) => !isFar(pick, other)) && all.some(isInstead);
  });
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
    product: scoreOf(moment),
    isEdge: people.some(([person, wall]) => isAtEdge(person, wall)),
    touches: people.some(([person]) =>
      toIntervals(inOrder(person.busy)).some((busy) => busy.end === start || busy.start === end),
    ),
    isShortNotice:
      isShortNotice(start, search.now) || people.some(([person]) => isOvernight(person, search.now, start)),
    isQuietDay: people.some(([person, { day }]) => quietDaysOf(person)(day)),
    isHoliday: people.some(([{ holidays }, { day }]) => holidays?.has(day)),
  };
}

/** The first and the last half hour of a person's own work hours are the edges of their day. */
function isAtEdge({ workHours }: SearchedPerson, wall: WallTime): boolean {
  const { start, end } = workHours[weekdayOf(wall)];
  return wall.startMinute < parseMinute(start) + 30 || wall.endMinute > parseMinute(end) - 30;
}
