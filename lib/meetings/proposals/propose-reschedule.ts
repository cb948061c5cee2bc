import { MINUTE } from '../../engine/time/dates.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { describePick } from '../../words/reasoning.ts';
import { sayOfferedTime } from '../../words/slots.ts';
import { describeReading, readingWarnings } from '../../words/understood.ts';
import { guestOf } from '../protocol/changeable.ts';
import { toReadReason } from '../protocol/kept-answer.ts';
import { aboutOf, lengthOf } from '../protocol/meeting.ts';
import { type Asking, askerPlace, assertAhead, findToOffer, keptReading, readingOnce } from '../verbs/reschedule.ts';
import { holdFound, holdTimes, othersTookThem } from './propose.ts';
import { assertBeginsLater } from './propose-move.ts';

const OFFERED = 3;
export const EXPIRES_IN_HOURS = 48;

interface Input extends Asking {
  isForDecline?: boolean;
}

/**
 * Serves `POST /v1/meetings/{meeting_id}/reschedule` with `propose`. Throws the errors of `rescheduleMeeting`, and
 * `too_many_proposals`.
 */
export async function proposeReschedule(ctx: Ctx, platform: PlatformRef, input: Input) {
  const { id: meetingId, idempotency, warnings = [], isForDecline = false } = input;
  assertAhead(ctx, input);
  const read = readingOnce(ctx, input.reason);
  return holdFound({
    async find() {
      const candidates = await findToOffer(ctx, platform, input, read);
      const [best] = candidates;
      if (best === undefined) throw othersTookThem();
      assertBeginsLater(ctx, best.old);
      return { best, offered: candidates.slice(0, OFFERED) };
    },
    hold({ best, offered }) {
      const { old, people, reading, learnedFrom, asked } = best;
      const length = lengthOf(old);
      const { understood, notUnderstood } = describeReading(reading);
      const about = {
        attendees: [old.organizer, old.other] as [string, string],
        requesterName: null,
        guestTimeZone: guestOf(old)?.timeZone,
        durationMinutes: Math.ceil(length / MINUTE),
        ...aboutOf(old),
        ...{ expiresInHours: EXPIRES_IN_HOURS, onExpiry: 'cancel' as const, idempotency },
        warnings: [...warnings, ...readingWarnings(reading)],
      };
      const times = offered.map(({ slot: { start, limits } }) => {
        const reason = sayOfferedTime(start, people);
        return { start, end: start + length, reason, limits };
      });
      const kept = keptReading(reading, askerPlace(old, input.requestedBy));
      const moves = { meetingId, start: old.start, end: old.end, isForDecline, reading: kept };
      const reasoning = describePick(best.slot.facts(), asked, true);
      const more = toReadReason({ reasoning, learnedFrom, understood, notUnderstood });
      return holdTimes(ctx, platform, about, { people, times, moves, said: { status: 200, more } });
    },
  });
}
