import { candidateStarts } from './candidates.ts';
import { ALL_RULES, type Applied, WORK_HOURS_ONLY } from './person-rules.ts';
import type { Person, Search } from './types.ts';

const allDay = { enabled: true, start: '00:00', end: '24:00' };
const LONG_AGO = 0;

/** Which rule left nothing: rules join one after another, and the one that takes the last candidate is named. */
export function emptyMessage(search: Search): string {
  const { requester, other, durationMinutes, window } = search;
  const meeting = `${durationMinutes} minutes`;
  const dates = `between ${window.start} and ${window.end}`;
  const anyTime = { ...search, now: LONG_AGO };
  const isEmpty = (tried: Search, applied: Applied) => candidateStarts(tried, applied).length === 0;

  if (isEmpty({ ...anyTime, other: alwaysAtWork(other) }, WORK_HOURS_ONLY))
    return `${requester.email} has no work hours of ${meeting} ${dates}.`;
  if (isEmpty({ ...anyTime, requester: alwaysAtWork(requester) }, WORK_HOURS_ONLY))
    return `${other.email} has no work hours of ${meeting} ${dates}.`;
  if (isEmpty(anyTime, WORK_HOURS_ONLY)) return `There are no common work hours of ${meeting} ${dates}.`;
  if (isEmpty(search, WORK_HOURS_ONLY))
    return `The common work hours ${dates} are over or begin too soon: a meeting starts at least 15 minutes from now.`;
  if (isEmpty(search, { ...WORK_HOURS_ONLY, focusBlocks: true }))
    return `Focus blocks leave no common ${meeting} ${dates}.`;
  if (isEmpty(search, { ...ALL_RULES, busy: false, buffer: false }))
    return `Day limits leave no common ${meeting} ${dates}: the remaining days hold as many meetings as allowed.`;
  if (isEmpty(search, { ...ALL_RULES, buffer: false })) return `All common ${meeting} ${dates} are busy.`;
  return `Buffers around busy times leave no common ${meeting} ${dates}.`;
}

function alwaysAtWork(person: Person): Person {
  const workHours = {
    monday: allDay,
    tuesday: allDay,
    wednesday: allDay,
    thursday: allDay,
    friday: allDay,
    saturday: allDay,
    sunday: allDay,
  };
  return { ...person, workHours };
}
