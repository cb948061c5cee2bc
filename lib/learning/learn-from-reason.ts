import { applyWeightChanges, insertWeightChanges, listTaught, selectWeights } from '../../schema/learning/queries.ts';
import { lockUser } from '../../schema/users/queries.ts';
import type { StoredWeights } from '../../schema/users/table.ts';
import type { Ctx } from '../context.ts';
import { WEEKDAYS } from '../scheduling/dates.ts';
import type { DayPart } from '../scheduling/moment.ts';
import { type Opinion, opinionsOf } from './text/opinions.ts';
import { plainWords } from './text/plain-words.ts';

/** What a reason did to one weight, named by its path. */
export interface LearnedChange {
  pattern: string;
  weight: string;
  before: number;
  after: number;
}

export interface Learned {
  changes: LearnedChange[];
  /** The weights as they are from then on; undefined where the reason teaches nothing. */
  weights?: StoredWeights | undefined;
}

/**
 * Adjusts the user's weights by the patterns in a rescheduling reason (interface, Learning rules). A meeting teaches each
 * weight once: a retry changes nothing and answers the same.
 */
export async function learnFromReason(
  ctx: Pick<Ctx, 'db' | 'clock' | 'ids'>,
  { userId, meetingId, reason }: { userId: string; meetingId: string; reason: string },
): Promise<Learned> {
  const changes = matchPatterns(reason).map((match) => ({ ...match, id: ctx.ids.id('learn_') }));
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
    weights: user?.weights,
  };
}

/** A pattern found in a text: the weight it moves, by its path, and by how much. */
export interface Match {
  pattern: string;
  weight: string;
  factor: number;
}

const LOWER = 0.8;
const RAISE = 1.25;
const PARTS: DayPart[] = ['morning', 'afternoon', 'evening'];

/**
 * The patterns of a rescheduling reason (interface, Learning rules): too early, too late, a weekday's name unless it is
 * plainly the day asked for, back to back; and what is left when only some days or hours will do. Each weight at most once.
 */
export function matchPatterns(reason: string): Match[] {
  const { days, parts, onlyDays, onlyParts, pauses } = opinionsOf(plainWords(reason));
  const matches: Match[] = [];
  const lower = (pattern: string, weight: string) => matches.push({ pattern, weight, factor: LOWER });
  if (parts.get('morning') === 'disliked') lower('too early', 'time_of_day_preference.morning');
  if (parts.get('evening') === 'disliked') lower('too late', 'time_of_day_preference.evening');
  for (const [day, opinion] of days) {
    const name = WEEKDAYS[day];
    if (name && !isWelcome(opinion) && !onlyDays.has(day)) lower(name, `day_of_week_preference.${name}`);
  }
  const isNew = ({ weight }: Match) => matches.every((match) => match.weight !== weight);
  matches.push(...othersThan(onlyDays, WEEKDAYS, 'day_of_week_preference').filter(isNew));
  const onlyPartIndexes = new Set([...onlyParts].map((part) => PARTS.indexOf(part)));
  matches.push(...othersThan(onlyPartIndexes, PARTS, 'time_of_day_preference').filter(isNew));
  if (pauses === 'wanted') matches.push({ pattern: 'back-to-back', weight: 'buffer_importance', factor: RAISE });
  return matches;
}

const isWelcome = (opinion: Opinion) => opinion === 'liked' || opinion === 'allowed';

/** "Only Tuesdays" lowers every other day. */
function othersThan(only: ReadonlySet<number>, names: readonly string[], map: string): Match[] {
  if (only.size === 0) return [];
  const pattern = `only ${names.filter((_, i) => only.has(i)).join(', ')}`;
  return names.flatMap((name, i) => (only.has(i) ? [] : [{ pattern, weight: `${map}.${name}`, factor: LOWER }]));
}
