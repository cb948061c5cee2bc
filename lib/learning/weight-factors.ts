import type { WeightChange } from '../../schema/access/learning.ts';
import { WEEKDAYS } from '../engine/time/dates.ts';
import type { DayPart } from '../engine/time/moment.ts';
import type { LearnedWeights } from '../engine/types.ts';
import type { ClockSpan, Reading, Rule } from '../engine/wish/reading.ts';
import type { Ctx } from '../kit/context.ts';

/** The factor multiplies the weight at this path, such as `time_of_day_preference.morning`. */
export interface Lesson {
  pattern: string;
  weight: string;
  factor: number;
}

const LOWER = 0.8;
const RAISE = 1.25;

/** Returns the factor by which a lesson multiplies the weight at this path. */
export const factorOf = (weight: string): number => (weight === 'buffer_importance' ? RAISE : LOWER);

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
export function lessonsOf(standing: readonly Rule[]): Lesson[] {
  const lessons = new Map<string, Lesson>();
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
function weighedBy(
  { clock, weekdays }: Extract<Rule, { kind: 'times' }>,
  share = HALF,
): Pick<Lesson, 'pattern' | 'weight'>[] {
  const days = weekdays?.map((day) => WEEKDAYS[day] ?? 'monday');
  if (clock === undefined) return days?.map((day) => ({ pattern: day, weight: `day_of_week_preference.${day}` })) ?? [];
  if (days !== undefined) return [];
  return partsIn(clock, share).map((part) => ({ pattern: NAMES[part], weight: `time_of_day_preference.${part}` }));
}

/** Only what the person's text says about times in general counts. */
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

export function weightAt({ timeOfDay, dayOfWeek, bufferImportance }: LearnedWeights, path: string): number {
  const [map, name = ''] = path.split('.');
  if (map === 'buffer_importance') return bufferImportance;
  const weights: Record<string, number> = map === 'day_of_week_preference' ? dayOfWeek : timeOfDay;
  return weights[name] ?? 1;
}

export function withWeight(weights: LearnedWeights, path: string, value: number): LearnedWeights {
  const [map, name = ''] = path.split('.');
  if (map === 'buffer_importance') return { ...weights, bufferImportance: value };
  return map === 'day_of_week_preference'
    ? { ...weights, dayOfWeek: { ...weights.dayOfWeek, [name]: value } }
    : { ...weights, timeOfDay: { ...weights.timeOfDay, [name]: value } };
}
