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
import type { LearnedWeights } from '../engine/types.ts';
import type { Reading } from '../engine/wish/reading.ts';
import type { Ctx } from '../kit/context.ts';
import { wholeWeights } from '../person/person.ts';
import type { LearnedChange } from '../words/learned.ts';
import { factorOf, lessonsOf, weightAt, withWeight } from './weight-factors.ts';

export interface Learned {
  changes: LearnedChange[];
  /** Undefined if the reason for a reschedule changed none. */
  weights?: LearnedWeights | undefined;
}

const changesOf = (ctx: Pick<Ctx, 'ids'>, { standing }: Reading): WeightChange[] =>
  lessonsOf(standing).map((lesson) => ({ ...lesson, id: ctx.ids.id('learn_') }));

/**
 * One meeting changes each weight at most once, so a retry changes nothing and returns the same answer
 * (schema/DECISIONS.md, "What a reason teaches").
 */
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
