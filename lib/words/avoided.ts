import type { Avoided, PickFacts } from '../engine/rank/pick-facts.ts';
import { WEEKDAYS } from '../engine/time/dates.ts';
import type { Asked } from './asked.ts';
import { say } from './patterns.ts';
import { capitalized, listed, listedClauses, type Names } from './people.ts';

/** Returns true if the attendee who asked for the move wanted a break, and the chosen time leaves one. */
export function hasAskedBreak({ avoided }: PickFacts, asked: Asked | undefined): boolean {
  const withRoom = avoided.flatMap((fact) => (fact.kind === 'back_to_back' ? [fact.email] : []));
  return (
    asked?.wish.pause === true &&
    !asked.isTaste &&
    withRoom.every((email) => email === asked.email) &&
    withRoom.length > 0
  );
}

/**
 * Returns the drawbacks that the chosen time avoids, without the missing break, if the sentence before has already said
 * that the time leaves a break.
 */
export const withoutAskedBreak = (facts: PickFacts, asked: Asked | undefined): readonly Avoided[] =>
  hasAskedBreak(facts, asked) ? facts.avoided.filter(({ kind }) => kind !== 'back_to_back') : facts.avoided;

/**
 * Says in sentences which kinds of time the chosen time avoids, and for whom: "It avoids mornings and Mondays, as Bob
 * prefers, and leaves lunch free for Ada."
 */
export function avoidedSentences(facts: readonly Avoided[], names: Names): string[] {
  const words = avoidedWords(facts, names);
  return [...(words === '' ? [] : [say('avoided', { words })]), ...ruleSentences(facts, names)];
}

function avoidedWords(facts: readonly Avoided[], names: Names): string {
  const times = new Map<string, Set<string>>();
  const withRoom = new Set<string>();
  const lunches: string[] = [];
  const focused: string[] = [];
  for (const fact of facts) {
    if (fact.kind === 'friday_afternoon' || fact.kind === 'standing_rule') continue;
    const who = names.short(fact.email);
    const dislikes = (words: string) => times.set(who, (times.get(who) ?? new Set()).add(words));
    if (fact.kind === 'learned_part' || fact.kind === 'energy') dislikes(`${fact.part}s`);
    else if (fact.kind === 'learned_day') dislikes(`${capitalized(fact.weekday)}s`);
    else if (fact.kind === 'back_to_back') withRoom.add(who);
    else if (fact.kind === 'lunch') lunches.push(who);
    else focused.push(who);
  }
  const clauses = [...times].map(([who, words]) => say('avoided.times', { times: listed([...words]), who }));
  if (withRoom.size > 0)
    clauses.push(
      withRoom.size > 1 ? say('avoided.room_for_both') : say('avoided.room', { who: listed([...withRoom]) }),
    );
  if (facts.some(({ kind }) => kind === 'friday_afternoon')) clauses.push(say('avoided.friday'));
  if (lunches.length > 0) clauses.push(say('avoided.lunch', { who: lunches.length > 1 ? 'both' : listed(lunches) }));
  const [who, other] = focused;
  if (who !== undefined)
    clauses.push(
      say('avoided.kept', {
        times: other === undefined ? say('avoided.focus', { who }) : say('avoided.focus_of_both', { who, other }),
      }),
    );
  return listedClauses(clauses);
}

type OwnRule = Extract<Avoided, { kind: 'standing_rule' }>;

/**
 * Says for each person which of their own rules the chosen time keeps to: "It is not on a Monday, as Ada wishes." If the
 * meaning of a rule has no short words, quotes the person.
 */
function ruleSentences(facts: readonly Avoided[], names: Names): string[] {
  const rules = facts.flatMap((fact) => (fact.kind === 'standing_rule' ? [fact] : []));
  return [...Map.groupBy(rules, ({ email }) => email)].map(([email, own]) => {
    const who = names.short(email);
    const meant = own.map(meaningOf);
    return meant.every((words) => words !== undefined)
      ? say('avoided.meant', { who, times: listed([...new Set(meant.flat())]) })
      : say('avoided.rules', { who, quotes: listed(own.map(({ words }) => say('quoted', { words }))) });
  });
}

const HALVES: Record<string, string> = { '00:00-12:00': 'morning', '12:00-17:00': 'afternoon' };
const WHOLE_DAY = '00:00-24:00';

/**
 * Says when a rule rules times out: "not in the morning", "not on a Monday". Returns undefined for a rule that is about
 * other hours, or about part of a single day.
 */
function meaningOf({ blocks }: OwnRule): string[] | undefined {
  const [hours = '', ...others] = new Set(blocks.map(({ start, end }) => `${start}-${end}`));
  if (others.length > 0) return undefined;
  const days = [...new Set(blocks.map(({ day }) => day))];
  if (hours === WHOLE_DAY)
    return days.length > 2 ? undefined : days.map((day) => say('avoided.weekday', { weekday: capitalized(day) }));
  const half = HALVES[hours];
  const isDaily = WEEKDAYS.slice(0, 5).every((day) => days.includes(day));
  return half === undefined || !isDaily ? undefined : [say('avoided.part', { half })];
}
