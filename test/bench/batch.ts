import { parseArgs } from 'node:util';
import { Board } from '../../lib/engine/plan/board.ts';
import { Placing } from '../../lib/engine/plan/placing.ts';
import { type PlanState, plannedOf, planSlice, startPlan } from '../../lib/engine/plan/plan.ts';
import type { OpenTime, PlannedPair, RoundLimits } from '../../lib/engine/plan/round.ts';
import { randomFrom, shuffled } from '../support/fuzz/seeded.ts';
import {
  type Event,
  hubRound,
  largeRound,
  mostPlaced,
  pairsOfEvent,
  readEvents,
  WEEKS,
  type Week,
} from './batch-rounds.ts';
import { ms, printTable } from './figures.ts';

/**
 * Measures the planner of rounds (`lib/engine/plan`): how many meetings it places, what that costs in comfort, and how
 * long it takes. Exits with 1 if a goal is missed.
 *
 *   --b2b <path>   also plans the one-to-one events of the literature in this file, and compares with their optima
 *   --weeks <n>    number of generated weeks of each kind, 30 by default
 */

/** Most meetings of the proven optimum that may be lost on a variant, in percent. */
const MOST_LOST = 0.1;
const MOST_MS_OF_EVENT = 1_000;
const MOST_MS_OF_ROUND = 3_000;
const MOST_MS_OF_SLICE = 50;
const PAIRS_A_SLICE = 50;
/** Orders of each event's meetings beside the given one. They decide between times and pairs that are equal. */
const ORDERS = 5;

const { values } = parseArgs({ options: { b2b: { type: 'string' }, weeks: { type: 'string', default: '30' } } });
const missed: string[] = [];
if (values.b2b !== undefined) printEvents(readEvents(values.b2b));
printWeeks(Number(values.weeks));
printLarge();
for (const goal of missed) console.log(`Missed: ${goal}`);
process.exitCode = missed.length > 0 ? 1 : 0;

interface Row {
  most: number;
  byPair: number;
  scarcest: number;
  planned: number;
  below: number;
  slowest: number;
}

function printEvents(events: readonly Event[]): void {
  const rows = ['original', 'forb0003', 'forb0007'].flatMap((variant) => {
    const some = events.filter(({ name }) => name.endsWith(`.${variant}`));
    return [0, ORDERS].map((orders) => {
      const name = `${variant}${orders > 0 ? `, ${orders} other orders` : ''}`;
      const row = eventsRow(some, orders);
      if (orders === 0 && percentLost(row.planned, row.most) > MOST_LOST)
        missed.push(`${name}: over ${MOST_LOST} % lost`);
      if (row.slowest > MOST_MS_OF_EVENT) missed.push(`${name}: over ${MOST_MS_OF_EVENT} ms of CPU`);
      return [
        name,
        String(some.length),
        String(row.most),
        ...[row.byPair, row.scarcest, row.planned].map((count) => `${percentLost(count, row.most).toFixed(2)} %`),
        String(row.below),
        `${ms(row.slowest)} ms`,
      ];
    });
  });
  console.log('One-to-one events of the literature: meetings lost against the proven optimum');
  printTable([
    ['variant', 'events', 'optimum', 'pair by pair', 'scarcest, least harm', 'with chains', 'below optimum', 'slowest'],
    ...rows,
  ]);
}

function eventsRow(events: readonly Event[], orders: number): Row {
  const row: Row = { most: 0, byPair: 0, scarcest: 0, planned: 0, below: 0, slowest: 0 };
  for (const event of events)
    for (let order = Math.min(orders, 1); order <= orders; order++) {
      const meetings = order === 0 ? event.meetings : shuffled(randomFrom(order), event.meetings);
      const pairs = pairsOfEvent({ ...event, meetings });
      const most = event.most_placed;
      const before = cpuMs();
      const planned = planRound(pairs).placed.size;
      row.slowest = Math.max(row.slowest, cpuMs() - before);
      row.most += most;
      row.byPair += pairByPair(pairs).size;
      row.scarcest += withoutChains(pairs);
      row.planned += planned;
      if (planned < most) row.below++;
    }
  return row;
}

function printWeeks(count: number): void {
  console.log(`\nGenerated weeks, ${count} of each kind: share of the pairs left out that a best plan places`);
  printTable([
    ['week', 'pairs', 'with a time', 'optimum', 'pair by pair', 'scarcest, least harm', 'batch', 'product', 'comfort'],
    ...WEEKS.map((week) => weekRow(week, count)),
  ]);
  console.log('product, comfort: means of the pairs that both place, pair by pair → batch');
}

function weekRow({ kind, generate }: Week, count: number): string[] {
  let [pairs, feasible, most, byPair, scarcest, planned] = [0, 0, 0, 0, 0, 0];
  const both: { plain: OpenTime; batch: OpenTime }[] = [];
  for (let seed = 1; seed <= count; seed++) {
    const week = generate(seed);
    const plain = pairByPair(week);
    const { placed } = planRound(week);
    pairs += week.length;
    feasible += week.filter(({ open }) => open.length > 0).length;
    most += mostPlaced(week);
    byPair += plain.size;
    scarcest += withoutChains(week);
    planned += placed.size;
    for (const [reference, batch] of placed) {
      const time = plain.get(reference);
      if (time !== undefined) both.push({ plain: time, batch });
    }
  }
  const means = (of: (time: OpenTime) => number) =>
    `${mean(both.map(({ plain }) => of(plain))).toFixed(3)} → ${mean(both.map(({ batch }) => of(batch))).toFixed(3)}`;
  return [
    kind,
    String(pairs),
    String(feasible),
    String(most),
    ...[byPair, scarcest, planned].map((placed) => `${percentLost(placed, most).toFixed(2)} %`),
    means(({ product }) => product),
    means(({ comfort }) => comfort),
  ];
}

function printLarge(): void {
  const pairs = largeRound(1, 1_500, 2_000);
  const times = pairs.reduce((sum, { open }) => sum + open.length, 0);
  const dates = [...new Set(pairs.flatMap(({ open }) => open.flatMap((time) => time.dates)))];
  const people = new Set(pairs.flatMap((pair) => pair.people));
  const limits: RoundLimits = {
    perDay: 4,
    dailyLimits: new Map([...people].map((id) => [id, new Map(dates.map((date) => [date, 3]))])),
    buffers: new Map([...people].map((id) => [id, 600_000])),
  };
  runSlices(largeRound(2, 1_500, 2_000), {});
  console.log(`\n2,000 pairs of ${people.size} people with ${times} open times, in slices of ${PAIRS_A_SLICE} pairs`);
  printTable([
    ['limits', 'placed', 'pair by pair', 'CPU in all', 'to start', 'slices', 'largest', 'progress', 'round'],
    largeRow('none', pairs, {}),
    largeRow('three a day, ten minutes apart', pairs, limits),
    largeRow('two a day', pairs, { perDay: 2 }),
    largeRow('none, one person in all pairs', hubRound(1, 2_000), {}),
  ]);
  console.log(`goals: ${MOST_MS_OF_ROUND} ms in all, ${MOST_MS_OF_SLICE} ms for the largest slice`);
}

function largeRow(name: string, pairs: PlannedPair[], limits: RoundLimits): string[] {
  const { state, starting, slices } = runSlices(pairs, limits);
  const total = starting + slices.reduce((sum, slice) => sum + slice, 0);
  const largest = Math.max(...slices);
  if (total > MOST_MS_OF_ROUND) missed.push(`2,000 pairs, limits ${name}: over ${MOST_MS_OF_ROUND} ms of CPU`);
  if (largest > MOST_MS_OF_SLICE) missed.push(`a slice, limits ${name}: over ${MOST_MS_OF_SLICE} ms of CPU`);
  const kib = (data: unknown) => `${(JSON.stringify(data).length / 1024).toFixed(0)} KiB`;
  return [
    name,
    String(plannedOf(state).placed.size),
    Object.keys(limits).length === 0 ? String(pairByPair(pairs).size) : '',
    `${ms(total)} ms`,
    `${ms(starting)} ms`,
    String(slices.length),
    `${ms(largest)} ms`,
    kib(state.progress),
    kib(state.round),
  ];
}

function planRound(pairs: readonly PlannedPair[]) {
  return plannedOf(planSlice(startPlan(pairs, {}), Number.POSITIVE_INFINITY));
}

function runSlices(pairs: PlannedPair[], limits: RoundLimits): Run {
  const before = cpuMs();
  let state = startPlan(pairs, limits);
  const starting = cpuMs() - before;
  const slices: number[] = [];
  while (!state.done) {
    const begun = cpuMs();
    state = planSlice(state, PAIRS_A_SLICE);
    slices.push(cpuMs() - begun);
  }
  return { state, starting, slices };
}

/** A finished plan with the milliseconds of CPU that its start and each of its slices took. */
interface Run {
  state: PlanState;
  starting: number;
  slices: number[];
}

/** Returns the CPU time of this thread, which other programs do not lengthen as they do the clock's. */
function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

function percentLost(placed: number, most: number): number {
  return most === 0 ? 0 : (100 * (most - placed)) / most;
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}

/**
 * Places pair by pair, as a platform does that calls `POST /v1/schedule/auto` for one after another: each takes the best
 * time that is left, and the earliest of equals.
 */
function pairByPair(pairs: readonly PlannedPair[]): Map<string, OpenTime> {
  const placed = new Map<string, OpenTime>();
  const taken = new Map<string, OpenTime[]>();
  for (const { reference, people, open } of pairs) {
    const isFree = ({ start, end }: OpenTime) =>
      people.every((person) => !taken.get(person)?.some((other) => other.start < end && start < other.end));
    const [best] = open.filter(isFree).sort(bestFirst);
    if (best === undefined) continue;
    placed.set(reference, best);
    for (const person of people) taken.set(person, [...(taken.get(person) ?? []), best]);
  }
  return placed;
}

/** Returns how many pairs find times scarcest first with least harm, before any chain. */
function withoutChains(pairs: readonly PlannedPair[]): number {
  const { round, progress, done } = startPlan(pairs, {});
  const board = new Board(round, progress.placed);
  const placing = new Placing(board, 0, { spent: 0, limit: Number.POSITIVE_INFINITY });
  while (placing.placeNext());
  return plannedOf({ round, progress: { ...progress, placed: board.placed }, done }).placed.size;
}

function bestFirst(a: OpenTime, b: OpenTime): number {
  return b.product - a.product || b.comfort - a.comfort || a.start - b.start;
}
