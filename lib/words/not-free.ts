import type { Objection } from '../engine/rules/objections.ts';
import { sayDate } from '../engine/time/dates.ts';
import type { SaidObjection } from './explanation.ts';
import { holidayOn } from './holiday-name.ts';
import { say } from './patterns.ts';
import { listed, listedClauses, namesOf } from './people.ts';

/** "It suits neither: …". Where a person's own words rule the time out, their hours say nothing more. */
export function sayNotFree(against: readonly SaidObjection[], [one, two]: readonly [string, string]): string {
  const names = namesOf([{ email: one }, { email: two }]);
  const ruledOutBy = new Set(against.flatMap(({ rule, email }) => (rule === 'standing_rule' ? [email] : [])));
  const ofPeople = against.filter(
    ({ email, rule }) =>
      email !== null && !(ruledOutBy.has(email) && (rule === 'work_hours' || rule === 'focus_block')),
  );
  const emails = new Set(ofPeople.map(({ email }) => email));
  const alike = Map.groupBy(ofPeople, ({ rule, holiday, words }) => `${rule} ${holiday?.name ?? words ?? ''}`);
  const why = listedClauses(
    [...alike.values()].map((same) => clauseOf(same, [...new Set(same.map(({ email }) => names.short(email ?? '')))])),
  );
  const verdict =
    emails.size === 0
      ? say('place.not_free')
      : say(emails.size === 1 ? 'place.not_for_one' : 'place.suits_neither', { why });
  const ofSearch = against.filter(({ email }) => email === null).map(({ detail }) => detail);
  return [verdict, ...ofSearch].join(' ');
}

/** The rules for which a time that must be free is refused. Other rules, such as work hours, only bring a warning. */
const REFUSING: ReadonlySet<Objection['rule']> = new Set(['busy', 'held', 'focus_block', 'buffer', 'day_limit']);

/** "Chloe is not free then". A full day is said like a busy one, so that a refusal does not tell who filled it. */
export function sayTaken(against: readonly Objection[], [one, two]: readonly [string, string]): string {
  const names = namesOf([{ email: one }, { email: two }]);
  const refusing = against.flatMap(({ email, rule }) =>
    REFUSING.has(rule) ? [{ email, rule: rule === 'day_limit' ? ('busy' as const) : rule }] : [],
  );
  const taken = refusing.some(({ rule }) => rule === 'busy')
    ? refusing.filter(({ rule }) => rule !== 'buffer')
    : refusing;
  const alike = Map.groupBy(taken, ({ rule }) => rule);
  const clauses = [...alike].map(([rule, same]) => {
    const people = [...new Set(same.map(({ email }) => names.short(email ?? '')))];
    return rule === 'busy'
      ? say('taken.busy', { who: listed(people), is: people.length > 1 ? 'are' : 'is' })
      : clauseOf([{ rule }], people);
  });
  return clauses.length === 0 ? say('taken.unknown') : listedClauses(clauses);
}

function clauseOf(
  [first]: readonly (Pick<Objection, 'rule'> & Pick<SaidObjection, 'holiday' | 'words'>)[],
  people: readonly string[],
): string {
  const who = listed(people);
  const areBoth = people.length > 1;
  switch (first?.rule) {
    case 'work_hours':
      return areBoth ? say('not.work_hours_of_both') : say('not.work_hours', { who });
    case 'holiday': {
      const { date = '', name = '' } = first.holiday ?? {};
      return say('not.holiday', { day: sayDate(date), holiday: holidayOn(name), who: areBoth ? 'both' : who });
    }
    case 'focus_block':
      return say('not.focus_block', { who, keeps: areBoth ? 'keep' : 'keeps' });
    case 'standing_rule':
      return say('not.standing_rule', { who, words: first.words ?? '' });
    case 'day_limit':
      return say('not.day_limit', { who, has: areBoth ? 'have' : 'has' });
    case 'held':
      return say('not.held', { who });
    case 'buffer':
      return say('not.buffer', { who, needs: areBoth ? 'need' : 'needs' });
    default:
      return say('not.busy', { who, is: areBoth ? 'are' : 'is' });
  }
}
