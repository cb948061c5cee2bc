import { listUserKeys } from '../../../schema/access/api-keys.ts';
import { listUserConnections } from '../../../schema/access/connections.ts';
import { findWholeUser } from '../../../schema/access/users.ts';
import { toMeetingAnswer } from '../../../schema/answers/meeting-answers.ts';
import { type FoundMeeting, listUserMeetings } from '../../../schema/meetings/list.ts';
import { listHeldTimes } from '../../../schema/meetings/proposals-list.ts';
import { openBlocking } from '../../calendars/blocking/choice.ts';
import type { Ctx } from '../../kit/context.ts';
import { userGone } from '../../kit/errors.ts';
import { readPage } from '../../kit/read-page.ts';
import { readLearning, sayRule } from '../../learning/ledger.ts';
import { heldTimesOf, placeOf } from '../../meetings/index.ts';
import { wholePreferences, wholeWeights } from '../../person/person.ts';

const AT_ONCE = 200;

/** Nobody can read this data, and Tandem deletes it after the periods in `lib/kit/kept-for.ts`. */
export const NOT_INCLUDED = [
  'The times when your calendar is busy, without titles. They are refreshed every few minutes and deleted when you disconnect.',
  'Access tokens for your calendar. They are stored encrypted and never shown to anyone.',
  'Offers of times to you or for you that have ended. They are deleted 30 days after their end.',
  'Webhook deliveries to platforms about your meetings, and automatic scheduling requests. They are deleted after 30 days.',
  'The log of who changed your keys, preferences, sessions and connections, with blocks of network addresses. It is deleted after 400 days, and the blocks with your account.',
  'Sessions of your pages, and the one-time codes with which agents sign in. They are deleted a day after they expired.',
  'Metadata that platforms attached to their meetings. The metadata belongs to the platform; ask the platform for it.',
  'Responses stored so that a repeated request does nothing twice. They are deleted after 24 hours.',
];

/** Covers all platforms. Throws `unauthorized` if the account was deleted. */
export async function exportUser(ctx: Ctx, userId: string) {
  const [user, platforms, { entries }, keys, meetings, held] = await Promise.all([
    findWholeUser(ctx.db, userId),
    listUserConnections(ctx.db, { userId }),
    readLearning(ctx, userId),
    listUserKeys(ctx.db, userId),
    readPage({ atOnce: AT_ONCE, placeOf }, (page) => listUserMeetings(ctx.db, { userId, ...page })),
    listHeldTimes(ctx.db, { userId, now: ctx.clock.now() }),
  ]);
  if (user === undefined) throw userGone();
  return {
    exportedAt: ctx.clock.now(),
    user,
    blocking: await openBlocking(ctx, user),
    preferences: wholePreferences(user),
    rules: user.rules.map(sayRule),
    weights: wholeWeights(user.weights),
    entries,
    platforms,
    keys,
    meetings: meetings.rows.map(withoutMetadata),
    holds: heldTimesOf(userId, held),
    notIncluded: NOT_INCLUDED,
  };
}

/** The two people never see the platform's own `metadata`. */
function withoutMetadata(meeting: FoundMeeting) {
  const { metadata: _, ...shown } = toMeetingAnswer(meeting);
  return { platformId: meeting.platformId, ...shown };
}
