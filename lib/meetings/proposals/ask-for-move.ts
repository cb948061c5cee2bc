import type { StoredReading } from '../../../schema/tables/meetings.ts';
import { loadBoth } from '../../availability/search.ts';
import { MINUTE } from '../../engine/time/dates.ts';
import type { Ctx } from '../../kit/context.ts';
import { type AppError, hasCode } from '../../kit/errors.ts';
import { sayOfferedTime } from '../../words/slots.ts';
import { aboutOf, lengthOf } from '../protocol/meeting.ts';
import { withoutLimits } from '../verbs/limits.ts';
import { keptReading } from '../verbs/reschedule.ts';
import { keptChanging, TRIES } from './end.ts';
import { openPage, type ProposalPage } from './page.ts';
import { holdTimes } from './propose.ts';
import { movableSnapshot, movedFrom } from './propose-move.ts';
import {
  type Answer,
  type CounterOutcome,
  findWished,
  hasChanged,
  isGone,
  LONGEST_REACH,
  MOST_COUNTERS,
  passOver,
  readerOf,
} from './wished-times.ts';

interface Asked extends Answer {
  seenStart: number;
}

/**
 * A new proposal holds times that fit the text or that the person chose, and the meeting stays. If no time fits,
 * nothing changes. Returns `countered` if the meeting has an open proposal afterwards, and `changed` if it is no longer
 * as the person saw it or cannot be moved. Throws `no_availability`, `too_many_proposals`, `meeting_busy`,
 * `user_not_found` and `calendar_*`.
 */
export async function askForMove(
  ctx: Ctx,
  opened: ProposalPage,
  { seenStart, ...answer }: Asked,
): Promise<CounterOutcome | { kind: 'changed' }> {
  const read = readerOf(ctx, answer);
  let page: ProposalPage | undefined = opened;
  const pass = passOver((error) => hasChanged(error) || isGone(error));
  for (let tries = 0; tries < TRIES; tries++) {
    if (page?.state.kind !== 'meeting') return { kind: 'changed' };
    const { meeting, next, mayMove } = page.state;
    if (meeting.start !== seenStart) return { kind: 'changed' };
    if (next !== undefined) return { kind: 'countered' };
    if (!mayMove) return { kind: 'changed' };
    let full: AppError | undefined;
    try {
      return await search(ctx, page, meeting, answer, read);
    } catch (error) {
      if (hasCode(error, 'too_many_proposals')) full = error;
      else pass(error);
    }
    page = await openPage(ctx, opened.tokenHash);
    // Another request may have made the open proposal meanwhile, to which the person is then sent.
    if (full !== undefined && !(page?.state.kind === 'meeting' && page.state.next !== undefined)) throw full;
  }
  throw keptChanging();
}

type Meeting = Extract<ProposalPage['state'], { kind: 'meeting' }>['meeting'];

async function search(
  ctx: Ctx,
  { platform, proposal }: ProposalPage,
  { id: meetingId }: Meeting,
  { starts, timeZone }: Answer,
  read: ReturnType<typeof readerOf>,
): Promise<CounterOutcome> {
  const old = await movableSnapshot(ctx, platform, meetingId);
  const { start, end } = old;
  const attendees: [string, string] = [old.organizer, old.other];
  const length = lengthOf(old);
  const durationMinutes = Math.ceil(length / MINUTE);
  const asked = { attendees, isFresh: true, until: ctx.clock.now() + LONGEST_REACH, guest: { timeZone } };
  const [loaded, said] = await Promise.all([
    loadBoth(ctx, platform, asked),
    starts === undefined ? read(old) : undefined,
  ]);
  const found = await findWished(ctx, loaded, {
    ...{ starts, said, durationMinutes, moved: movedFrom(old) },
    offers: [{ start, end }],
    held: [{ start, end }],
  });
  if (found.kind !== 'found') return found;
  const people = withoutLimits(loaded.people, old.other);
  const nothingRead: StoredReading = { understood: [], notUnderstood: [], askedBy: 1 };
  const reading = found.reading === undefined ? nothingRead : keptReading(found.reading, 1);
  const { requesterName, guestTimeZone, expiresInHours } = proposal;
  await holdTimes(
    ctx,
    platform,
    {
      ...aboutOf(old),
      ...{ attendees, requesterName, guestTimeZone, durationMinutes, expiresInHours },
      // If the person chooses none of the times, the meeting takes place as it is.
      ...{ onExpiry: 'cancel' as const, idempotency: undefined, warnings: [] },
    },
    {
      people,
      times: found.times.map((time) => {
        const reason = sayOfferedTime(time.start, people);
        return { start: time.start, end: time.start + length, reason };
      }),
      moves: { meetingId, start, end, isForDecline: false, reading },
    },
    { answers: { id: proposal.id, mostAsks: MOST_COUNTERS }, end: () => [] },
  );
  return { kind: 'countered' };
}
