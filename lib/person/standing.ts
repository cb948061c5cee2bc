import type { StoredRule } from '../../schema/access/learning.ts';
import type { RulePart } from '../../schema/tables/users.ts';
import type { MeetingContext } from '../engine/rank/contexts.ts';
import { DAY_MINUTES, formatMinute, WEEKDAYS } from '../engine/time/dates.ts';
import type { RuleBlock, StandingRule } from '../engine/types.ts';
import type { Rule } from '../engine/wish/reading.ts';

type Bounds = { bufferMinutes: number; maxMeetingsPerDay: number };

/**
 * Also returns the buffer and daily limit that apply: the stricter one of the rules and the settings. Of the rules for other
 * kinds of meeting than `context` none counts, and without one a liking does, because the meeting may be of its kind.
 */
export function standingOf(
  rules: readonly StoredRule[],
  { bufferMinutes, maxMeetingsPerDay }: Bounds,
  context?: MeetingContext,
): Bounds & { standing: StandingRule[] } {
  const counts = ({ contexts, verdict }: RulePart) =>
    contexts === undefined ||
    (context === undefined
      ? verdict === 'prefer' || verdict === 'rather_not'
      : contexts.some((one) => one === context));
  const of = (kind: StoredRule['kind']) => rules.filter((rule) => rule.kind === kind && counts(rule.part));
  const alike = Map.groupBy(of('times'), ({ part, quote }) => `${verdictOf(part.verdict)} ${quote}`);
  return {
    standing: [...alike.values()].flatMap(([first, ...rest]) =>
      first === undefined
        ? []
        : [{ words: first.quote, verdict: verdictOf(first.part.verdict), blocks: [first, ...rest].flatMap(blocksOf) }],
    ),
    bufferMinutes: Math.max(bufferMinutes, ...of('buffer').map(({ part }) => part.minutes ?? 0)),
    maxMeetingsPerDay: Math.min(
      maxMeetingsPerDay,
      ...of('most_per_day').map(({ part }) => part.most ?? maxMeetingsPerDay),
    ),
  };
}

function blocksOf({ part }: StoredRule): RuleBlock[] {
  const { weekdays = [0, 1, 2, 3, 4, 5, 6], clock = { from: 0, to: DAY_MINUTES }, dates } = part;
  return weekdays.map((day) => ({
    day: WEEKDAYS[day] ?? 'monday',
    start: formatMinute(clock.from),
    end: formatMinute(clock.to),
    ...(dates && { dates }),
  }));
}

/** The database stores a rule such as "never on Fridays" in this form. */
export function toStoredRule({ kind, quote, ...part }: Rule, id: string): StoredRule {
  const said = Object.entries(part).filter(([, value]) => value !== undefined);
  return { id, kind, quote, part: Object.fromEntries(said) };
}

export function toRule({ kind, quote, part }: StoredRule): Rule {
  const { verdict, weekdays, clock, dates, minutes, most, contexts } = part;
  if (kind === 'most_per_day') return { kind, most: most ?? 1, quote };
  if (kind === 'buffer')
    return { kind, verdict: verdict === 'unwanted' ? 'unwanted' : 'wanted', minutes, contexts, quote };
  return { kind, verdict: verdictOf(verdict), weekdays, clock, dates, contexts, quote };
}

const verdictOf = (verdict: RulePart['verdict']): StandingRule['verdict'] =>
  verdict === 'prefer' || verdict === 'rather_not' ? verdict : 'never';
