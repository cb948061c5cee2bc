import { MINUTE } from '../time/dates.ts';
import { covers, overlaps, union } from '../time/intervals.ts';
import { type Days, daysAround, wallInstants } from '../time/wall-instants.ts';
import { focusWeek } from '../time/week.ts';
import type { Search, SearchedPerson, StandingRule } from '../types.ts';

/** `prefer`: all of the meeting lies in times that they like. `near_preferred`: within two hours of these. */
export type Taste = 'rather_not' | 'prefer' | 'near_preferred' | 'not_preferred';

const NEAR = 120 * MINUTE;

export interface AppliedRule {
  email: string;
  verdict: Exclude<StandingRule['verdict'], 'never'>;
  words: string;
}

/** Returns undefined for a person who has no rule of this kind. */
export function tasteOf({ timeZone, standing = [] }: SearchedPerson, days: Days) {
  if (standing.length === 0) return undefined;
  const blocksOf = (verdict: StandingRule['verdict']) =>
    standing.flatMap((rule) => (rule.verdict === verdict ? rule.blocks : []));
  const [dislikes, likes] = [blocksOf('rather_not'), blocksOf('prefer')];
  if (dislikes.length + likes.length === 0) return undefined;
  const [disliked, liked] = [dislikes, likes].map((blocks) => wallInstants(timeZone, days, focusWeek(blocks)));
  const nearly = union(liked ?? [], NEAR);
  return (start: number, end: number): Taste | undefined => {
    if (overlaps(disliked ?? [], { start, end })) return 'rather_not';
    if (liked === undefined || likes.length === 0) return undefined;
    if (covers(liked, { start, end })) return 'prefer';
    return covers(nearly, { start, end }) ? 'near_preferred' : 'not_preferred';
  };
}

/** A rule that prefers times counts only if the person's rules of this kind together cover the whole meeting. */
export function rulesAt({ requester, other, durationMinutes }: Search, start: number): AppliedRule[] {
  const meeting = { start, end: start + durationMinutes * MINUTE };
  return [requester, other].flatMap(({ email, timeZone, standing = [] }) => {
    if (standing.length === 0) return [];
    const instants = (rules: readonly StandingRule[]) =>
      wallInstants(timeZone, daysAround(meeting), focusWeek(rules.flatMap(({ blocks }) => blocks)));
    const isLiked = covers(instants(standing.filter(({ verdict }) => verdict === 'prefer')), meeting);
    return standing.flatMap((rule): AppliedRule[] => {
      const { verdict, words } = rule;
      if (verdict === 'never' || (verdict === 'prefer' && !isLiked)) return [];
      return overlaps(instants([rule]), meeting) ? [{ email, verdict, words }] : [];
    });
  });
}

/** Comparing the pick for such people, who have no focus blocks either, with the real one shows what wishes changed. */
export const withoutWishes = <P extends SearchedPerson>(person: P): P => ({
  ...person,
  focusBlocks: [],
  standing: person.standing?.filter(({ verdict }) => verdict === 'never'),
});
