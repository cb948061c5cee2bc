import { MINUTE } from '../time/dates.ts';
import { covers, overlaps, union } from '../time/intervals.ts';
import { blockInstants, type Days, daysAround, isDated } from '../time/wall-instants.ts';
import type { RuleBlock, Search, SearchedPerson, StandingRule } from '../types.ts';

/** `prefer`: all of the meeting lies in times that they like. `near_preferred`: within two hours of these. */
export type Taste = 'rather_not' | 'prefer' | 'near_preferred' | 'not_preferred';

const NEAR = 120 * MINUTE;

export interface AppliedRule {
  email: string;
  verdict: Exclude<StandingRule['verdict'], 'never'>;
  words: string;
}

/**
 * Days and hours that are liked in rules of their own are meant together: "Tuesdays are best", "I like mornings". Hours
 * within others are those that are meant: "afternoons, ideally after four". What is liked on some dates alone stands beside.
 */
function together(likes: readonly RuleBlock[]): readonly RuleBlock[] {
  const [dated, weekly] = [likes.filter(isDated), likes.filter((one) => !isDated(one))];
  const { days = [], hours = [] } = Object.groupBy(weekly, ({ start, end }) =>
    start === '00:00' && end === '24:00' ? 'days' : 'hours',
  );
  const both = hours.filter(({ day }) => days.some((one) => one.day === day));
  const meant = both.length === 0 ? weekly : both;
  const within = meant.filter((wide) => !meant.some((one) => one.day === wide.day && isWithin(one, wide)));
  return [...within, ...dated];
}

const isWithin = (one: RuleBlock, { start, end }: RuleBlock): boolean =>
  start <= one.start && one.end <= end && (one.start !== start || one.end !== end);

/** Returns undefined for a person who has no rule of this kind. */
export function tasteOf({ timeZone, standing = [] }: SearchedPerson, days: Days) {
  if (standing.length === 0) return undefined;
  const blocksOf = (verdict: StandingRule['verdict']) =>
    standing.flatMap((rule) => (rule.verdict === verdict ? rule.blocks : []));
  const [dislikes, likes] = [blocksOf('rather_not'), blocksOf('prefer')];
  if (dislikes.length + likes.length === 0) return undefined;
  const instants = (blocks: readonly RuleBlock[]) => blockInstants(timeZone, days, blocks);
  const [disliked, liked] = [instants(dislikes), instants(together(likes))];
  const nearly = union(instants(likes), NEAR);
  return (start: number, end: number): Taste | undefined => {
    if (overlaps(disliked, { start, end })) return 'rather_not';
    if (likes.length === 0) return undefined;
    if (covers(liked, { start, end })) return 'prefer';
    return covers(nearly, { start, end }) ? 'near_preferred' : 'not_preferred';
  };
}

/** A rule that prefers times counts only if the person's rules of this kind together cover the whole meeting. */
export function rulesAt({ requester, other, durationMinutes }: Search, start: number): AppliedRule[] {
  const meeting = { start, end: start + durationMinutes * MINUTE };
  return [requester, other].flatMap(({ email, timeZone, standing = [] }) => {
    if (standing.length === 0) return [];
    const instants = (blocks: readonly RuleBlock[]) => blockInstants(timeZone, daysAround(meeting), blocks);
    const likes = standing.flatMap(({ verdict, blocks }) => (verdict === 'prefer' ? blocks : []));
    const isLiked = covers(instants(together(likes)), meeting);
    return standing.flatMap((rule): AppliedRule[] => {
      const { verdict, words } = rule;
      if (verdict === 'never' || (verdict === 'prefer' && !isLiked)) return [];
      return overlaps(instants(rule.blocks), meeting) ? [{ email, verdict, words }] : [];
    });
  });
}

/** Comparing the pick for such people, who have no focus blocks either, with the real one shows what wishes changed. */
export const withoutWishes = <P extends SearchedPerson>(person: P): P => ({
  ...person,
  focusBlocks: [],
  standing: person.standing?.filter(({ verdict }) => verdict === 'never'),
});
