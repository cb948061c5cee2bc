import { candidateStarts } from './candidates.ts';
import { sayDate } from './dates.ts';
import { ALL_RULES, type Applied, WORK_HOURS_ONLY } from './person-rules.ts';
import type { Person, Search, WorkHours } from './types.ts';
import { localDate } from './zone.ts';

/** A rule that takes part in leaving nothing; `email` names whose it is, null when it is the search's own. */
export interface Cause {
  email: string | null;
  rule: 'window' | 'work_hours' | 'notice' | 'focus_block' | 'day_limit' | 'busy' | 'buffer' | 'had_before';
}

/** Soft rules are taken away first, so that what stays is what nobody would give up. */
const FROM_SOFT_TO_HARD = [
  ['buffer', 'buffer'],
  ['focus_block', 'focusBlocks'],
  ['day_limit', 'dayLimit'],
  ['busy', 'busy'],
] as const satisfies readonly [Cause['rule'], keyof Applied][];

const LONG_AGO = 0;
const allDay = { enabled: true, start: '00:00', end: '24:00' };
const ALWAYS_AT_WORK: WorkHours = {
  monday: allDay,
  tuesday: allDay,
  wednesday: allDay,
  thursday: allDay,
  friday: allDay,
  saturday: allDay,
  sunday: allDay,
};

/**
 * The rules that leave a search without a start, no more of them than are needed: together they leave nothing, and without
 * any one of them the others would leave something. Empty when there are starts.
 */
export function causesOf(search: Search): Cause[] {
  if (!isEmpty(search)) return [];
  const { requester, other } = search;
  const anyStart = { ...search, notAt: undefined };
  const anyTime = { ...anyStart, now: LONG_AGO };
  const hoursOf = ({ email }: Person): Cause => ({ email, rule: 'work_hours' });
  const everyHour = { workHours: ALWAYS_AT_WORK };
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

/** Why a search found nothing, from its causes; undefined when there are starts. */
export function whyEmpty(search: Search): string | undefined {
  const { durationMinutes, requester, other } = search;
  const causes = causesOf(search);
  const [first] = causes;
  const meeting = `${durationMinutes} minutes`;
  const where = whereOf(search);
  switch (first?.rule) {
    case undefined:
      return undefined;
    case 'window':
      return `There are no ${meeting} ${where}.`;
    case 'notice':
      return `The common work hours ${where} are over or begin too soon: a meeting starts at least 15 minutes from now.`;
    case 'work_hours':
      return causes.length === 1
        ? `${first.email} has no work hours of ${meeting} ${where}.`
        : `There are no common work hours of ${meeting} ${where}.`;
    default: {
      const clauses = [...clausesOf(requester, causes), ...clausesOf(other, causes)];
      if (causes.some(({ rule }) => rule === 'had_before')) clauses.push('times the meeting had before');
      const subject = clauses.length === 1 ? `The ${clauses[0]}` : `Together, the ${clauses.join(' and the ')}`;
      const wasFree = !isEmpty({ ...search, now: LONG_AGO });
      return `${subject} leave no common ${meeting} ${wasFree ? restOf(search) : where}.`;
    }
  }
}

function isEmpty(search: Search, of = ALL_RULES, ofOther = of): boolean {
  return candidateStarts(search, of, ofOther).length === 0;
}

function clausesOf({ email, bufferMinutes, maxMeetingsPerDay }: Person, causes: readonly Cause[]): string[] {
  const has = (rule: Cause['rule']) => causes.some((cause) => cause.email === email && cause.rule === rule);
  const clauses: string[] = [];
  if (has('busy'))
    clauses.push(`busy times of ${email}${has('buffer') ? ` with ${bufferMinutes} minutes around them` : ''}`);
  if (has('focus_block')) clauses.push(`focus blocks of ${email}`);
  if (has('day_limit')) clauses.push(`full days of ${email} (at most ${maxMeetingsPerDay} a day)`);
  return clauses;
}

function whereOf({ requester, window, within, notBefore }: Search): string {
  if (within !== undefined) return 'in the preferred time range';
  const first = notBefore === undefined ? window.start : localDate(requester.timeZone, notBefore);
  const [, start = first] = [first, window.start].sort();
  return start === window.end ? `on ${sayDate(start)}` : `between ${sayDate(start)} and ${sayDate(window.end)}`;
}

function restOf({ window, within }: Search): string {
  return within === undefined ? `from now to ${sayDate(window.end)}` : 'in what is left of the preferred time range';
}
