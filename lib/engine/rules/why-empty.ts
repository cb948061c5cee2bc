import type { Search, SearchedPerson } from '../types.ts';
import { hasCandidate } from './candidates.ts';
import { ANY_TIME } from './defaults.ts';
import { ALL_RULES, type Applied, WORK_HOURS_ONLY } from './free-time.ts';

/**
 * Rules are left out in this order, and one is no cause if the search is still empty without it. So the remaining
 * causes are those that people give up last.
 */
const FROM_SOFT_TO_HARD = [
  ['buffer', 'buffer'],
  ['focus_block', 'focusBlocks'],
  ['standing_rule', 'standingRules'],
  ['day_limit', 'dayLimit'],
  ['holiday', 'holidays'],
  ['busy', 'busy'],
] as const satisfies readonly [string, keyof Applied][];

/**
 * `email` names the person whose rule it is, and is null for a rule of the search itself. `floor` is the first day to
 * which a meeting may move, which only facts of a moved meeting name.
 */
export interface Cause {
  email: string | null;
  rule: 'window' | 'work_hours' | 'notice' | (typeof FROM_SOFT_TO_HARD)[number][0] | 'had_before' | 'floor';
}

const LONG_AGO = 0;

/** Without any one rule of the minimal set some start would be free. The list is empty if the search has starts. */
export function causesOf(search: Search): Cause[] {
  if (!isEmpty(search)) return [];
  const { requester, other } = search;
  const anyStart = { ...search, notAt: undefined };
  const anyTime = { ...anyStart, now: LONG_AGO };
  const hoursOf = ({ email }: SearchedPerson): Cause => ({ email, rule: 'work_hours' });
  const everyHour = { workHours: ANY_TIME };
  const anyHour = { ...anyTime, requester: { ...requester, ...everyHour }, other: { ...other, ...everyHour } };
  if (isEmpty(anyHour, WORK_HOURS_ONLY)) return [{ email: null, rule: 'window' }];
  if (isEmpty({ ...anyTime, other: { ...other, ...everyHour } }, WORK_HOURS_ONLY)) return [hoursOf(requester)];
  if (isEmpty({ ...anyTime, requester: { ...requester, ...everyHour } }, WORK_HOURS_ONLY)) return [hoursOf(other)];
  if (isEmpty(anyTime, WORK_HOURS_ONLY)) return [hoursOf(requester), hoursOf(other)];
  if (isEmpty(anyStart, WORK_HOURS_ONLY)) return [{ email: null, rule: 'notice' }];

  const causes: Cause[] = [];
  let [of, ofOther] = [ALL_RULES, ALL_RULES];
  for (const [rule, key] of FROM_SOFT_TO_HARD) {
    if (isEmpty(search, { ...of, [key]: false }, ofOther)) of = { ...of, [key]: false };
    else causes.push({ email: requester.email, rule });
    if (isEmpty(search, of, { ...ofOther, [key]: false })) ofOther = { ...ofOther, [key]: false };
    else causes.push({ email: other.email, rule });
  }
  if (!isEmpty(anyStart, of, ofOther)) causes.push({ email: null, rule: 'had_before' });
  return causes;
}

/** Returns true if an empty search is empty only because times are past or within the minimum notice. */
export const wasFree = (search: Search): boolean => !isEmpty({ ...search, now: LONG_AGO });

function isEmpty(search: Search, of = ALL_RULES, ofOther = of): boolean {
  return !hasCandidate(search, of, ofOther);
}
