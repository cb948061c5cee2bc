import type { Fault } from '../../local/faults.ts';

/** A place where the Worker can die, as a fault of the local world: at one outbound call, before or after its work. */
export interface CrashPoint {
  name: string;
  operation: Operation;
  fault: Fault;
}

/** Marks that tell one outbound call from all others. */
export type Step = Pick<Fault, 'target' | 'match' | 'body_match'>;

const EVENTS = '/calendar/v3/calendars/primary/events';
export const neon = (...words: string[]): Step => ({
  target: 'neon',
  match: 'POST /sql',
  body_match: words.map((word) => word.replaceAll('"', '\\\\?"')).join('.*'),
});
export const google = (match: string): Step => ({ target: 'google', match });

const ENDS = 'update "meetings" set "status"';
const BOOKING = {
  A: neon('insert into "pending_operations"', '"book"'),
  B: google(`POST ${EVENTS}`),
  C: neon(ENDS, '"scheduled"'),
};
const CANCEL = {
  A: neon('insert into "pending_operations"', '"cancel"'),
  B: google(`DELETE ${EVENTS}`),
  C: neon(ENDS, '"cancelled"'),
};
const UPDATE = {
  A: neon('insert into "pending_operations"', '"move"'),
  B: google(`PATCH ${EVENTS}`),
  C: neon(ENDS, '"updated"'),
};
const RESCHEDULE = { ...UPDATE, C: neon(ENDS, '"rescheduled"') };
const FREE_BUSY = { 'free/busy': google('POST /calendar/v3/freeBusy') };
const CLAIM = { claim: neon('skip locked') };
const SWEEP = { ...CLAIM, B: google(`GET ${EVENTS}`) };
/** Takes over what a person changed in the event, once that is planned. */
const FOLLOWED = {
  ...CLAIM,
  read: google(`GET ${EVENTS}`),
  followed: neon('delete from "pending_operations"', '"verify"'),
};

/**
 * Outbound calls between which each operation can be interrupted: A reserves in one batch, B changes the calendar, C
 * commits.
 */
export const STEPS = {
  schedule: BOOKING,
  'schedule with a key': BOOKING,
  'schedule, only if free': { ...BOOKING, ...FREE_BUSY },
  auto: { A: neon('insert into "jobs"') },
  'auto with a key': { A: neon('insert into "jobs"') },
  'run-job': { claim: neon('update "jobs" set "attempts"'), ...FREE_BUSY, ...BOOKING },
  'run-job in vain': {
    claim: neon('update "jobs" set "attempts"'),
    ...FREE_BUSY,
    C: neon('update "jobs" set "status"'),
  },
  propose: { A: neon('insert into "proposals"'), ...FREE_BUSY },
  accept: { ...BOOKING, ...FREE_BUSY },
  'accept with a guest': { ...BOOKING, ...FREE_BUSY },
  decline: { A: neon('update "proposals" set "status"') },
  counter: { ...FREE_BUSY, A: neon('update "proposals" set "status"') },
  'counter to a move': { ...FREE_BUSY, A: neon('update "proposals" set "status"') },
  'sweep that offers times after a decline': {
    take: neon('update "event_answers" set "decline_due_at"'),
    ...FREE_BUSY,
    A: neon('insert into "proposals"'),
    end: neon('update "event_answers" set "untold" = .*"decline_due_at"'),
  },
  'sweep that books at expiry': { ...BOOKING, ...FREE_BUSY },
  'sweep that expires': { A: neon('update "proposals" set "status"') },
  'sweep that finishes an acceptance': { ...SWEEP, C: neon(ENDS, '"scheduled"') },
  'sweep that finishes an acceptance with a guest': { ...SWEEP, C: neon(ENDS, '"scheduled"') },
  'sweep that undoes an acceptance with a guest': { ...SWEEP, C: neon(ENDS, '"failed"') },
  'sweep that undoes an acceptance': { ...SWEEP, C: neon(ENDS, '"failed"') },
  'reschedule that proposes': { A: neon('insert into "proposals"'), ...FREE_BUSY },
  'accept a move': { ...RESCHEDULE, ...FREE_BUSY },
  'sweep that moves at expiry': { ...RESCHEDULE, ...FREE_BUSY },
  'sweep that finishes a move': { ...SWEEP, C: neon(ENDS, '"rescheduled"') },
  'sweep that undoes a move': SWEEP,
  'cancel a meeting that is to be moved': CANCEL,
  cancel: CANCEL,
  'cancel as previewed': { follow: neon('insert into "pending_operations"', '"verify"'), ...FOLLOWED, ...CANCEL },
  'cancel as previewed, of a moved event': FOLLOWED,
  update: UPDATE,
  'update of an event that may have changed': { ...UPDATE, read: google(`GET ${EVENTS}`) },
  'update to another person': UPDATE,
  reschedule: { ...RESCHEDULE, ...FREE_BUSY },
  'sweep that finishes': { ...SWEEP, C: neon(ENDS, '"scheduled"') },
  'sweep that gives up': { ...SWEEP, C: neon(ENDS, '"failed"') },
  'sweep that cancels': { ...SWEEP, C: neon(ENDS, '"cancelled"') },
  'sweep that updates': { ...SWEEP, C: neon(ENDS, '"updated"') },
  'sweep that undoes an update': SWEEP,
  'sweep that reschedules': { ...SWEEP, C: neon(ENDS, '"rescheduled"') },
  'sweep that undoes a reschedule': SWEEP,
  'delayed verification': { ...SWEEP, C: neon('update "meetings" set "lease_until"', '"verify"') },
} satisfies Record<string, Record<string, Step>>;

export type Operation = keyof typeof STEPS;

export const CRASH_POINTS: CrashPoint[] = (Object.keys(STEPS) as Operation[]).flatMap((operation) =>
  Object.entries<Step>(STEPS[operation]).flatMap(([step, call]) =>
    (['before', 'after'] as const).map((side) => ({
      name: `${operation}.${side}-${step}`,
      operation,
      fault: { ...call, mode: side === 'before' ? ('kill' as const) : ('kill_after' as const), times: 1 },
    })),
  ),
);
