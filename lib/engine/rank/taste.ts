import { MINUTE } from '../time/dates.ts';
import { covers, overlaps } from '../time/intervals.ts';
import { daysAround, wallInstants } from '../time/wall-instants.ts';
import { focusWeek } from '../time/week.ts';
import type { Search, SearchedPerson, StandingRule } from '../types.ts';

/**
 * Weight of one person who would rather not meet at a time. A person who prefers the time weighs 1, so one dislike
 * outweighs one preference.
 */
const DISLIKED = 3;

/**
 * How two people's own rules rate the times of a search. Of two equally good times, the one with the higher number
 * comes first. A time that fewer people would rather not have is always higher.
 */
export type Taste = (start: number) => number;

/** A rule that puts a meeting time before or after equally good ones, with the person who made the rule. */
export interface AppliedRule {
  email: string;
  verdict: Exclude<StandingRule['verdict'], 'never'>;
  words: string;
}

/**
 * Returns a function that rates starts by the two people's own rules that order times, such as "rather not on Fridays".
 * It rates meetings that start from `first` to `last`. Returns undefined if neither person has such a rule.
 */
export function tasteOf({ requester, other, durationMinutes }: Search, first: number, last: number): Taste | undefined {
  const duration = durationMinutes * MINUTE;
  const people = [requester, other].flatMap((person) => ratingOf(person, first, last + duration) ?? []);
  if (people.length === 0) return undefined;
  return (start) => people.reduce((sum, rate) => sum + rate(start, start + duration), 0);
}

/**
 * Returns how many of the two people would rather not meet at a time with this taste, which is the rating by their own
 * rules.
 */
export const dislikers = (taste: number): number => Math.max(0, Math.ceil(-taste / DISLIKED));

/**
 * Returns the rules of both people that put a meeting time before or after equally good ones. A rule that prefers times
 * counts only if the person's rules of this kind together cover the whole meeting.
 */
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

/**
 * Returns a person without the preferences that only order times, and without focus blocks. Comparing the time picked
 * for such people with the real pick shows what their preferences changed.
 */
export const withoutWishes = <P extends SearchedPerson>(person: P): P => ({
  ...person,
  focusBlocks: [],
  standing: person.standing?.filter(({ verdict }) => verdict === 'never'),
});

/**
 * Returns a function that rates a meeting between two instants for one person: 1 if all of it lies in times that they
 * prefer, minus `DISLIKED` if any of it lies in times that they would rather not have, and otherwise 0. It rates
 * meetings from `first` to `last`. Returns undefined for a person who has no rule of either kind.
 */
function ratingOf({ timeZone, standing = [] }: SearchedPerson, first: number, last: number) {
  if (standing.length === 0) return undefined;
  const blocks = (verdict: StandingRule['verdict']) =>
    standing.flatMap((rule) => (rule.verdict === verdict ? rule.blocks : []));
  const [rather, prefer] = [blocks('rather_not'), blocks('prefer')];
  if (rather.length + prefer.length === 0) return undefined;
  const days = daysAround({ start: first, end: last });
  const [disliked, liked] = [rather, prefer].map((some) => wallInstants(timeZone, days, focusWeek(some)));
  return (start: number, end: number): number => {
    if (overlaps(disliked ?? [], { start, end })) return -DISLIKED;
    return covers(liked ?? [], { start, end }) ? 1 : 0;
  };
}
