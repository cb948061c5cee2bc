import type { Moment } from './moment.ts';
import { outsideDay, type Rule, type RuleName } from './score.ts';
import type { Search } from './types.ts';

const FOR: Partial<Record<RuleName, string>> = { mid_morning: 'mid-morning', recency: 'within the next three days' };
const AGAINST: Partial<Record<RuleName, string>> = {
  friday_afternoon: 'on a Friday afternoon',
  lunch_hour: 'over the lunch hour',
};

/** A slot's factors as a sentence: "Mid-morning within the next three days, when both are free." */
export function reasonOf(search: Search, moment: Moment, rules: readonly Rule[]): string {
  const pros: string[] = [];
  const cons: string[] = [];
  for (const { name } of rules) {
    const pro = FOR[name];
    const con = name === 'timezone_fairness' ? outsideWords(search, moment) : AGAINST[name];
    if (pro) pros.push(pro);
    if (con) cons.push(con);
  }
  const when = pros.length === 0 ? 'A time' : `${pros.join(' ')},`;
  const but = cons.length === 0 ? '' : `, but ${cons.join(' and ')}`;
  return `${when.charAt(0).toUpperCase()}${when.slice(1)} when both are free${but}.`;
}

function outsideWords({ requester, other }: Search, moment: Moment): string {
  const sides = { early: 'before 8am', late: 'past 6pm' };
  const [first, second] = [outsideDay(moment.requester), outsideDay(moment.other)];
  if (first !== undefined && first === second) return `${sides[first]} for both`;
  const words: string[] = [];
  if (first) words.push(`${sides[first]} for ${requester.email}`);
  if (second) words.push(`${sides[second]} for ${other.email}`);
  return words.join(' and ');
}
