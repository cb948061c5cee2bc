import {
  applyWeightChanges,
  GREATEST_WEIGHT,
  insertWeightChanges,
  LEAST_WEIGHT,
  listTaught,
  selectWeights,
  type Taught,
  type WeightChange,
} from '../../schema/access/learning.ts';
import { lockUser } from '../../schema/access/users.ts';
import { WEEKDAYS } from '../engine/time/dates.ts';
import type { DayPart } from '../engine/time/moment.ts';
import type { LearnedWeights } from '../engine/types.ts';
import type { ClockSpan, Reading, Rule } from '../engine/wish/reading.ts';
import type { Ctx } from '../kit/context.ts';
import { wholeWeights } from '../person/person.ts';
import type { LearnedChange } from '../words/understood.ts';

/** The factor multiplies the weight at this path, such as `time_of_day_preference.morning`. */
type Teaching = Omit<WeightChange, 'id'>;

const LOWER = 0.8;
const RAISE = 1.25;

const factorOf = (weight: string): number => (weight === 'buffer_importance' ? RAISE : LOWER);

/** A rule about hours counts for a part of the day if it covers more than this share of its minutes since midnight. */
const [HALF, ALL] = [0.5, 0.99];
const PARTS: Record<DayPart, ClockSpan> = {
  morning: { from: 8 * 60, to: 12 * 60 },
  afternoon: { from: 12 * 60, to: 17 * 60 },
  evening: { from: 17 * 60, to: 20 * 60 },
};
const NAMES: Record<DayPart, string> = { morning: 'too early', afternoon: 'afternoons', evening: 'too late' };

/**
 * Teaches only what is against times in general, such as "mornings are too early for me", and a need for breaks
 * (schema/DECISIONS.md, "What a reason teaches"). Each weight appears at most once.
 */
export function lessonsOf(standing: readonly Rule[]): Teaching[] {
  const lessons = new Map<string, Teaching>();
  const teach = (pattern: string, weight: string) => {
    if (!lessons.has(weight)) lessons.set(weight, { pattern, weight, factor: factorOf(weight) });
  };
  for (const rule of standing.filter(isForAll)) {
    if (rule.kind === 'buffer' && rule.verdict === 'wanted') teach('back-to-back', 'buffer_importance');
    if (rule.kind !== 'times' || rule.verdict === 'prefer') continue;
    for (const { pattern, weight } of weighedBy(rule)) teach(pattern, weight);
  }
  return [...lessons.values()];
}

/** Words about one kind of meeting teach nothing about the others, and words about some dates nothing about the rest. */
const isForAll = (rule: Rule): boolean => rule.contexts === undefined && !('dates' in rule && rule.dates);

const LIKED = 1.5;
const DISLIKED = 0.4;
const UNNEEDED = 0.7;

/** Returns the preference weights that a scheduling context sets, by their paths. A dislike outweighs a liking. */
export function weightsOf(standing: readonly Rule[]): [path: string, weight: number][] {
  const weights = new Map<string, number>();
  const put = (path: string, weight: number) => weights.set(path, Math.min(weight, weights.get(path) ?? weight));
  for (const rule of standing.filter(isForAll)) {
    if (rule.kind === 'buffer') put('buffer_importance', rule.verdict === 'wanted' ? LIKED : UNNEEDED);
    if (rule.kind !== 'times') continue;
    // Hours that are ruled out say nothing against the rest of the morning.
    const share = rule.verdict === 'never' ? ALL : HALF;
    const value = rule.verdict === 'prefer' ? LIKED : DISLIKED;
    for (const { weight } of weighedBy(rule, share)) put(weight, value);
  }
  return [...weights];
}

/** Returns the weights that a rule about either weekdays or hours bears on. No weight is for hours of some weekdays. */
function weighedBy({ clock, weekdays }: Extract<Rule, { kind: 'times' }>, share = HALF) {
  const days = weekdays?.map((day) => WEEKDAYS[day] ?? 'monday');
  if (clock === undefined) return days?.map((day) => ({ pattern: day, weight: `day_of_week_preference.${day}` })) ?? [];
  if (days !== undefined) return [];
  return partsIn(clock, share).map((part) => ({ pattern: NAMES[part], weight: `time_of_day_preference.${part}` }));
}

export const weightChangesOfContext = (ctx: Pick<Ctx, 'ids'>, { standing }: Reading): WeightChange[] =>
  weightsOf(standing)
    .filter(([, factor]) => factor !== 1)
    .map(([weight, factor]) => ({ id: ctx.ids.id('learn_'), pattern: 'scheduling_context', weight, factor }));

function partsIn(clock: ClockSpan, share: number): DayPart[] {
  return (Object.keys(PARTS) as DayPart[]).filter((part) => {
    const { from, to } = PARTS[part];
    return Math.min(clock.to, to) - Math.max(clock.from, from) > (to - from) * share;
  });
}

function weightAt({ timeOfDay, dayOfWeek, bufferImportance }: LearnedWeights, path: string): number {
  const [map, name = ''] = path.split('.');
  if (map === 'buffer_importance') return bufferImportance;
  const weights: Record<string, number> = map === 'day_of_week_preference' ? dayOfWeek : timeOfDay;
  return weights[name] ?? 1;
}

function withWeight(weights: LearnedWeights, path: string, value: number): LearnedWeights {
  const [map, name = ''] = path.split('.');
  if (map === 'buffer_importance') return { ...weights, bufferImportance: value };
  return map === 'day_of_week_preference'
    ? { ...weights, dayOfWeek: { ...weights.dayOfWeek, [name]: value } }
    : { ...weights, timeOfDay: { ...weights.timeOfDay, [name]: value } };
}

export interface Learned {
  changes: LearnedChange[];
  /** Undefined if the reason for a reschedule changed none. */
  weights?: LearnedWeights | undefined;
}

const changesOf = (ctx: Pick<Ctx, 'ids'>, { standing }: Reading): WeightChange[] =>
  lessonsOf(standing).map((lesson) => ({ ...lesson, id: ctx.ids.id('learn_') }));

/** One meeting changes each weight once, so a retry changes nothing (schema/DECISIONS.md, "What a reason teaches"). */
export async function learnFromReason(
  ctx: Pick<Ctx, 'db' | 'clock' | 'ids'>,
  { userId, meetingId, reading }: { userId: string; meetingId: string; reading: Reading },
): Promise<Learned> {
  const changes = changesOf(ctx, reading);
  if (changes.length === 0) return { changes: [] };
  const ids = changes.map(({ id }) => id);
  const weights = changes.map(({ weight }) => weight);
  const [, , , taught, [user]] = await ctx.db.batch([
    lockUser(ctx.db, userId),
    insertWeightChanges(ctx.db, { userId, source: 'reschedule', meetingId, changes, now: ctx.clock.now() }),
    applyWeightChanges(ctx.db, { userId, ids }),
    listTaught(ctx.db, { userId, meetingId, weights }),
    selectWeights(ctx.db, { userId }),
  ]);
  return {
    changes: weights.flatMap((weight) => taught.filter((change) => change.weight === weight)),
    weights: user && wholeWeights(user.weights),
  };
}

/** `pending` changes are not stored yet. */
export interface Lesson extends Learned {
  pending: (WeightChange & { expected: number })[];
}

/** Returns what `learnFromReason` would, without storing it. `taught` are the meeting's earlier changes. */
export function lessonOf(
  ctx: Pick<Ctx, 'ids'>,
  reading: Reading,
  { weights, taught }: { weights: LearnedWeights; taught: Omit<Taught, 'userId' | 'meetingId'>[] },
): Lesson {
  const lesson: Lesson = { changes: [], weights: undefined, pending: [] };
  for (const change of changesOf(ctx, reading)) {
    const { pattern, weight, factor } = change;
    const earlier = taught.find((one) => one.weight === weight);
    const before = bounded(weightAt(weights, weight));
    const made = earlier ?? { pattern, weight, before, after: bounded(before * factor) };
    lesson.changes.push(made);
    lesson.weights ??= weights;
    if (earlier !== undefined) continue;
    lesson.weights = withWeight(lesson.weights, weight, made.after);
    lesson.pending.push({ ...change, expected: before });
  }
  return lesson;
}

/**
 * Gives the changes the values that the platform's own reasons alone make, because the weights tell what other platforms
 * and the person taught. `taught` are its changes of the person's weights, oldest first.
 */
export const asTaughtBy = (
  taught: Pick<Taught, 'meetingId' | 'weight'>[],
  { meetingId, changes }: { meetingId: string; changes: readonly LearnedChange[] },
): LearnedChange[] =>
  changes.map((change) => {
    const own = taught.filter(({ weight }) => weight === change.weight);
    const at = own.findIndex((one) => one.meetingId === meetingId);
    const earlier = at === -1 ? own.length : at;
    const factor = factorOf(change.weight);
    return { ...change, before: bounded(factor ** earlier), after: bounded(factor ** (earlier + 1)) };
  });

/** The caller's batch has locked the user. It fails as `weights_changed` if a weight is not as it was loaded. */
export const storeLesson = (
  { db }: Pick<Ctx, 'db'>,
  { userId, meetingId, now }: { userId: string; meetingId: string; now: number },
  { pending: changes }: Lesson,
) =>
  changes.length === 0
    ? []
    : [
        insertWeightChanges(db, { userId, source: 'reschedule', meetingId, changes, now }),
        applyWeightChanges(db, { userId, ids: changes.map(({ id }) => id) }),
      ];

/** Rounds a weight and keeps it within its bounds, exactly as the statement that stores it does. */
function bounded(value: number): number {
  // Postgres converts a double to 15 significant digits before it rounds, so this code does the same.
  const rounded = Math.round(Number(`${value.toPrecision(15)}e6`)) / 1e6;
  return Math.min(GREATEST_WEIGHT, Math.max(LEAST_WEIGHT, rounded));
}
