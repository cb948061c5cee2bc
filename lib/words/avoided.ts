import type { Avoided, PickFacts } from '../engine/rank/pick-facts.ts';
import { type Asked, isTaught } from './asked.ts';
import { say } from './patterns.ts';
import { capitalized, listed, listedClauses, type Names } from './people.ts';

export function hasAskedBreak({ people }: PickFacts, asked: Asked | undefined): boolean {
  if (asked?.wish.pause !== true || asked.isTaste) return false;
  const { meetings, focus } = people.find(({ email }) => email === asked.email) ?? people[0];
  return !meetings.before && !meetings.after && !focus.before && !focus.after;
}

/** Drops the missing break if the sentence before has already said that the time leaves one. */
export const withoutAskedBreak = (facts: PickFacts, asked: Asked | undefined): readonly Avoided[] =>
  facts.avoided.filter(
    (fact) => !isTaught(fact, asked) && !(fact.kind === 'back_to_back' && hasAskedBreak(facts, asked)),
  );

/** "It avoids mornings and Mondays, as Bob prefers, and leaves lunch free for Ada." */
export function avoidedSentences(facts: readonly Avoided[], names: Names): string[] {
  const words = avoidedWords(facts, names);
  return [...(words === '' ? [] : [say('avoided', { words })]), ...ruleSentences(facts, names)];
}

function avoidedWords(facts: readonly Avoided[], names: Names): string {
  const times = new Map<string, Set<string>>();
  const withRoom = new Set<string>();
  const focused: string[] = [];
  for (const fact of facts) {
    if (fact.kind === 'standing_rule') continue;
    const who = names.short(fact.email);
    const dislikes = (words: string) => times.set(who, (times.get(who) ?? new Set()).add(words));
    if (fact.kind === 'learned_part' || fact.kind === 'energy') dislikes(`${fact.part}s`);
    else if (fact.kind === 'learned_day') dislikes(`${capitalized(fact.weekday)}s`);
    else if (fact.kind === 'back_to_back') withRoom.add(who);
    else focused.push(who);
  }
  const clauses = [...times].map(([who, words]) => say('avoided.times', { times: listed([...words]), who }));
  if (withRoom.size > 0)
    clauses.push(
      withRoom.size > 1 ? say('avoided.room_for_both') : say('avoided.room', { who: listed([...withRoom]) }),
    );
  const [who, other] = focused;
  if (who !== undefined)
    clauses.push(
      say('avoided.kept', {
        times: other === undefined ? say('avoided.focus', { who }) : say('avoided.focus_of_both', { who, other }),
      }),
    );
  return listedClauses(clauses);
}

/** Quotes for each person the rules of their own that the chosen time keeps to. */
function ruleSentences(facts: readonly Avoided[], names: Names): string[] {
  const rules = facts.flatMap((fact) => (fact.kind === 'standing_rule' ? [fact] : []));
  return [...Map.groupBy(rules, ({ email }) => email)].map(([email, own]) =>
    say('avoided.rules', {
      who: names.short(email),
      quotes: listed([...new Set(own.map(({ words }) => say('quoted', { words })))]),
    }),
  );
}
