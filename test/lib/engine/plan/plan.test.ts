import { expect, test } from 'vitest';
import { planSlice, startPlan } from '../../../../lib/engine/plan/plan.ts';
import { pairOf, planRound, quarterAt, startsOf, testPlans } from './properties.ts';

test('a round without pairs is done after one slice', () => {
  const { done } = planSlice(startPlan([], {}), 50);
  expect(done).toBe(true);
  expect(planRound([], {})).toEqual({ placed: new Map(), unplaced: [] });
});

test('the pair with one open time keeps it, although another one would like it most', () => {
  const flexible = { ...pairOf('a', ['ada', 'bob']), open: [quarterAt(0, 2, 2), quarterAt(8, 2, 1)] };
  expect(startsOf(planRound([flexible, pairOf('b', ['ada', 'cyd'], 0)], {}))).toEqual({ a: 8, b: 0 });
});

test('a pair takes its best time when its neighbor has four times left', () => {
  const liking = { ...pairOf('a', ['ada', 'bob']), open: [quarterAt(0, 2, 2), quarterAt(40, 2, 1)] };
  expect(startsOf(planRound([liking, pairOf('b', ['ada', 'cyd'], 0, 8, 16, 24)], {}))).toMatchObject({ a: 0 });
});

test('among equal products the more comfortable time is taken', () => {
  const open = [quarterAt(0, 2, 1, 0.1), quarterAt(8, 2, 1, 0.7), quarterAt(16, 2, 0.9, 1)];
  expect(startsOf(planRound([{ ...pairOf('a', ['ada', 'bob']), open }], {}))).toEqual({ a: 8 });
});

test('a pair of high priority is placed although two others go without', () => {
  const long = { ...pairOf('a', ['ada', 'bob']), priority: 9, open: [quarterAt(0, 4)] };
  const planned = planRound([long, pairOf('b', ['ada', 'cyd'], 0), pairOf('c', ['ada', 'dan'], 2)], {});
  expect(planned.unplaced).toEqual(['b', 'c']);
});

test('a pair of low priority may move one of high priority, whose other time is worse', () => {
  const high = { ...pairOf('a', ['ada', 'bob']), priority: 9, open: [quarterAt(0, 2, 2), quarterAt(8, 2, 1)] };
  expect(startsOf(planRound([high, pairOf('b', ['ada', 'cyd'], 0)], {}))).toEqual({ a: 8, b: 0 });
});

test('three pairs of high priority move one after another for one of low priority', () => {
  const moving = (name: string, person: string, start: number) => ({
    ...pairOf(name, ['ada', person]),
    priority: 9,
    open: [quarterAt(start, 2, 2), quarterAt(start + 8, 2, 1)],
  });
  const pairs = [moving('a', 'bob', 0), moving('b', 'cyd', 8), moving('c', 'dan', 16), pairOf('d', ['ada', 'eve'], 0)];
  expect(startsOf(planRound(pairs, {}))).toEqual({ a: 8, b: 16, c: 24, d: 0 });
});

test('one pair gives way where two come in its place', () => {
  const days = (...starts: number[]) => starts.map((start) => 8 * start);
  const pairs = [
    pairOf('shared', ['ada', 'bob'], ...days(0, 1)),
    pairOf('a', ['ada', 'cyd'], ...days(0, 1)),
    pairOf('b', ['ada', 'dan'], ...days(0, 1)),
    pairOf('c', ['bob', 'eve'], ...days(0, 1)),
    pairOf('d', ['bob', 'fay'], ...days(0, 1)),
  ];
  expect(planRound(pairs, {}).unplaced).toEqual(['shared']);
});

test.each([3, 5, 8, 40])('everybody of a ring of %i people meets both neighbors', (size) => {
  const pairs = Array.from({ length: size }, (_, i) =>
    pairOf(`r${i}`, [`p${i}`, `p${(i + 1) % size}`], 0, 8, ...(size % 2 === 1 && i === 0 ? [16] : [])),
  );
  expect(planRound(pairs, {}).unplaced).toEqual([]);
});

test('a mentor meets as many people as the best matching allows', () => {
  const pairs = Array.from({ length: 30 }, (_, i) => pairOf(`r${i}`, ['mentor', `p${i}`], 8 * i, 8 * ((i * 7) % 30)));
  expect(planRound(pairs, {}).unplaced).toEqual([]);
});

testPlans(80);
