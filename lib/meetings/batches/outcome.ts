import type { BatchReason } from '../../../schema/tables/batches.ts';
import { hasCode } from '../../kit/errors.ts';
import { say } from '../../words/patterns.ts';
import { ADVICE, failureOf, IN_NEW_BATCH, REFUSED, SUGGESTIONS } from '../protocol/failure.ts';
import type { BatchMeeting } from './batch.ts';

const MOST_FAILURES = 3;
const MOST_MISSES = 5;

const REFUSED_IN_BATCH = [say('advice.check_calendar'), IN_NEW_BATCH, say('advice.other_first')];

/** Consequence of an error for a meeting of a batch: Tandem tries the meeting again, or ends it with a reason. */
export type Outcome = { again: true } | { again: false; state: 'unplaced' | 'failed'; reason: BatchReason };

export function outcomeOf(error: unknown, { attendees, failures }: BatchMeeting): Outcome {
  if (hasCode(error, 'invalid_date_range'))
    return { again: false, state: 'unplaced', reason: reasonOf('NO_AVAILABILITY', error.message) };
  const { code, message, suggestions, mayPass } = failureOf(error, attendees);
  if (mayPass && failures + 1 < MOST_FAILURES) return { again: true };
  const usual = suggestions === SUGGESTIONS[code] ? ADVICE[code] : suggestions;
  const advice = suggestions === REFUSED ? REFUSED_IN_BATCH : usual;
  return { again: false, state: 'failed', reason: { code, message, suggestions: advice, relaxations: [] } };
}

export const outcomeOfMiss = ({ misses }: BatchMeeting): Outcome =>
  misses < MOST_MISSES
    ? { again: true }
    : {
        again: false,
        state: 'unplaced',
        reason: reasonOf(
          'TIMES_TAKEN',
          'Each time at which this meeting was placed was taken before it could be booked. Send a new request for it.',
        ),
      };

export const reasonOf = (code: BatchReason['code'], message: string): BatchReason => ({
  ...{ code, message },
  suggestions: [],
  relaxations: [],
});
