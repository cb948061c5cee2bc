import { listUserKeys } from '../../schema/api-keys/queries.ts';
import { listUserConnections } from '../../schema/connections/queries.ts';
import { type FoundMeeting, listMeetingsWith } from '../../schema/meetings/read-queries.ts';
import { findWholeUser } from '../../schema/users/queries.ts';
import { openBlocking } from '../calendars/blocking/stored.ts';
import type { Ctx } from '../context.ts';
import { userGone } from '../errors.ts';
import { readLearning } from '../learning/ledger.ts';
import { toMeetingAnswer } from '../meetings/answers.ts';
import { placeOf } from '../meetings/read.ts';
import { readPage } from '../read-page.ts';
import { weightsOf, wholePreferences } from './person.ts';

const AT_ONCE = 200;

/** What goes by itself, and is nobody's to read meanwhile; the ages are those of `lib/retention.ts`. */
const NOT_INCLUDED = [
  'The times your calendar is busy, without titles: read anew every few minutes, deleted when your access ends.',
  'Access tokens of your calendar: they are kept encrypted and are shown to nobody.',
  'Messages to platforms about your meetings, and requests for automatic scheduling: deleted after 30 days.',
  'Answers kept so that a repeated request does nothing twice: deleted after 24 hours.',
];

/** Everything that is held about a person, of all platforms; throws `unauthorized` for somebody who has ended. */
export async function exportUser(ctx: Ctx, userId: string) {
  const [user, platforms, { entries }, keys, meetings] = await Promise.all([
    findWholeUser(ctx.db, userId),
    listUserConnections(ctx.db, { userId }),
    readLearning(ctx, userId),
    listUserKeys(ctx.db, userId),
    allMeetings(ctx, userId),
  ]);
  if (user === undefined) throw userGone();
  return {
    exportedAt: ctx.clock.now(),
    user,
    blocking: await openBlocking(ctx, user),
    preferences: wholePreferences(user),
    weights: weightsOf(user.weights),
    entries,
    platforms,
    keys,
    meetings: meetings.map((meeting) => ({
      platform_id: meeting.platformId,
      ...toMeetingAnswer(meeting),
    })),
    notIncluded: NOT_INCLUDED,
  };
}

async function allMeetings(ctx: Ctx, userId: string): Promise<FoundMeeting[]> {
  const first = await listMeetingsWith(ctx.db, { userId, after: undefined, limit: AT_ONCE });
  const { rows } = await readPage({ limit: undefined, atOnce: AT_ONCE, first }, (last, limit) =>
    listMeetingsWith(ctx.db, { userId, after: placeOf(last), limit }),
  );
  return rows;
}
