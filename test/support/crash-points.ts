import type { Fault } from '../local/faults.ts';

/** An operation of the API whose work crosses from Postgres to the calendar and back. */
export type Operation = 'schedule' | 'schedule with a key' | 'schedule, only if free';

/** A place where the Worker can die, as a fault of the local world: at the step's one outbound call. */
export interface CrashPoint {
  name: string;
  operation: Operation;
  fault: Fault;
}

type Step = Pick<Fault, 'target' | 'match' | 'body_match'>;

const batch = (words: string): Step => ({ target: 'neon', match: 'POST /sql', body_match: words });
const EVENTS = '/calendar/v3/calendars/primary/events';

/** A promises in one batch, B changes the calendar, C settles in one batch. */
const BOOKING = {
  A: batch('insert into \\\\"settlements\\\\".*"book"'),
  B: { target: 'google', match: `POST ${EVENTS}` },
  C: batch('update \\\\"meetings\\\\" set \\\\"status\\\\".*"scheduled"'),
} as const;

const STEPS: Record<Operation, Record<string, Step>> = {
  schedule: BOOKING,
  'schedule with a key': BOOKING,
  'schedule, only if free': { ...BOOKING, 'free/busy': { target: 'google', match: 'POST /calendar/v3/freeBusy' } },
};

/** Every place between two steps of every operation that writes, before the step is done and after it. */
export const CRASH_POINTS: CrashPoint[] = Object.entries(STEPS).flatMap(([operation, steps]) =>
  Object.entries(steps).flatMap(([step, call]) =>
    (['before', 'after'] as const).map((side) => ({
      name: `${operation}.${side}-${step}`,
      operation: operation as Operation,
      fault: { ...call, mode: side === 'before' ? 'kill' : 'kill_after', times: 1 },
    })),
  ),
);
