import { anyGrant, lockAccount } from '../../../schema/access/calendar-accounts.ts';
import { lockInvited } from '../../../schema/access/people.ts';
import { insistOnWorking } from '../../../schema/access/sessions.ts';
import { hasAddress, lockUser } from '../../../schema/access/users.ts';
import { batch } from '../../../schema/db.ts';
import * as retention from '../../../schema/upkeep/retention.ts';
import { eraseStatements, findErasable, findGuest, listMeetingAddresses } from '../../../schema/upkeep/users-erase.ts';
import { endingOf } from '../../calendars/grants/end-connections.ts';
import { revokeSoon } from '../../calendars/grants/revoke.ts';
import { DAY } from '../../engine/time/dates.ts';
import { type Auditing, admitted, audited, insistOnCaller } from '../../kit/change.ts';
import type { Ctx, PlatformRef } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { FORMER_USER, formerAddress } from '../../kit/ids.ts';
import { KEPT_MS } from '../../kit/kept-for.ts';
import { publishAll } from '../../webhooks/outbox.ts';
import { nameOf } from '../../words/title.ts';

/**
 * One batch ends the grant, queues the platforms' events, and deletes keys, preferences, rules and what was learned.
 * Meetings stay as the other person's record, with a placeholder. A repeated call has no further effect. The batch
 * locks the person first, as does every change of a meeting: such a change is complete before the deletion, which then
 * covers it, or sees that the person is deleted.
 */
export async function deleteUser(ctx: Ctx, userId: string): Promise<void> {
  const deleted = await commitDeletion(ctx, userId);
  if (deleted === undefined) return;
  publishAll(ctx, deleted);
  await revokeSoon(ctx, userId);
}

/** The background sweep sends the events and revokes the grant. Returns undefined if the account is already deleted. */
export async function commitDeletion(ctx: Auditing, userId: string) {
  const user = await findErasable(ctx.db, userId);
  if (user === undefined) return undefined;
  const ending = { ...user, userId, reason: 'user_requested', when: anyGrant } as const;
  const now = ctx.clock.now();
  const statements = {
    lock: lockAccount(ctx.db, userId),
    person: lockUser(ctx.db, userId),
    works: insistOnWorking(ctx.db, { credential: ctx.actor.credential, now }),
    ...endingOf(ctx, ending, now),
    ...(await erasing(ctx, { userId, email: user.email })),
  };
  try {
    return (await admitted(batch(ctx.db, statements))).disconnected;
  } catch (error) {
    // Two requests at once: the other one deleted the person, and the session with them.
    if ((await findErasable(ctx.db, userId)) === undefined) return undefined;
    throw error;
  }
}

/** Throws `user_not_found`, and `forbidden` for a person who connected, because only they can delete their account. */
export async function eraseGuest(ctx: Ctx, platform: PlatformRef, email: string): Promise<void> {
  const found = await findGuest(ctx.db, { platformId: platform.id, email });
  if (found === undefined) throw guestNotFound(email);
  if (found.hasConnected)
    throw new AppError(
      'forbidden',
      `${email} has connected a calendar to this platform, so only they can delete their data: on their own page, or with DELETE /v1/user. DELETE /v1/calendars/{email} ends your access.`,
    );
  const erased = await eraseGuestRow(ctx, { userId: found.id, email, platformId: platform.id });
  if (!erased) throw guestNotFound(email);
}

/** Returns false if the guest was erased meanwhile, or has connected to the platform. */
export async function eraseGuestRow(ctx: Auditing, guest: { userId: string; email: string; platformId: string }) {
  const statements = {
    ...insistOnCaller(ctx, guest.platformId),
    invited: lockInvited(ctx.db, guest),
    person: lockUser(ctx.db, guest.userId),
    ...(await erasing(ctx, guest)),
  };
  const { user } = await admitted(batch(ctx.db, statements));
  return user.length > 0;
}

const guestNotFound = (email: string) =>
  new AppError('user_not_found', `${email} is not a guest of this platform, so there is nothing to erase.`, { email });

async function erasing(
  ctx: Auditing,
  { email, platformId, ...who }: { userId: string; email?: string; platformId?: string; endedBefore?: number },
) {
  const inMeetings = await listMeetingAddresses(ctx.db, who.userId);
  const addresses = [...new Set(email === undefined ? inMeetings : [email, ...inMeetings])];
  const former = formerAddress(ctx.ids);
  const statements = eraseStatements(ctx.db, {
    ...who,
    platformId,
    formerAddress: former,
    formerName: FORMER_USER,
    addresses,
    names: namesOf(addresses),
    now: ctx.clock.now(),
  });
  const { userId } = who;
  const guard = hasAddress(userId, former);
  return { ...statements, erasureAudited: audited(ctx, { userId, platformId, action: 'person.erased', guard }) };
}

/** Tandem put all names into titles. In texts, a single name may also be an ordinary word. */
function namesOf(addresses: string[]) {
  const inTitles = [...new Set(addresses.map(nameOf))];
  return { inTitles, inText: inTitles.filter((name) => name.includes(' ')) };
}

/** A run of the background sweep deletes no more, so that a backlog does not hold it up. */
const AT_ONCE = 1_000;
/** Kinds of which every meeting leaves a row get this larger bound. */
const MANY_AT_ONCE = 5_000;
const USERS_AT_ONCE = 20;

const LOOKED_AT_MS = 90 * DAY;

const old = ({ clock }: Ctx, kept: number, limit = AT_ONCE) => ({ before: clock.now() - kept, limit });

/** Keys and learned changes come before meetings, as in an account's deletion, so that the two cannot deadlock. */
const deletions = (ctx: Ctx) => ({
  deliveries: retention.deleteOldDeliveries(ctx.db, old(ctx, KEPT_MS.deliveries, MANY_AT_ONCE)),
  answersUnderKeys: retention.deleteOldAnswers(ctx.db, old(ctx, KEPT_MS.answersUnderKeys)),
  agentCodes: retention.deleteOldCodes(ctx.db, old(ctx, KEPT_MS.agentCodes)),
  revokedKeys: retention.deleteRevokedKeys(ctx.db, old(ctx, KEPT_MS.revokedKeys)),
  undoneChanges: retention.deleteUndoneChanges(ctx.db, old(ctx, KEPT_MS.undoneChanges)),
  sessions: retention.deleteOldSessions(ctx.db, old(ctx, KEPT_MS.sessions)),
  auditLog: retention.deleteOldAudit(ctx.db, old(ctx, KEPT_MS.auditLog)),
  jobs: retention.deleteOldJobs(ctx.db, old(ctx, KEPT_MS.jobs)),
  proposals: retention.deleteOldProposals(ctx.db, old(ctx, KEPT_MS.proposals)),
  batches: retention.deleteOldBatches(ctx.db, old(ctx, KEPT_MS.batches)),
  failedMeetings: retention.deleteFailedMeetings(ctx.db, old(ctx, KEPT_MS.failedMeetings)),
  holds: retention.deleteOldHolds(ctx.db, old(ctx, KEPT_MS.holds, MANY_AT_ONCE)),
  formerUsers: retention.deleteFormerUsers(ctx.db, {
    ...old(ctx, KEPT_MS.endedUsers, USERS_AT_ONCE),
    after: ctx.clock.now() - LOOKED_AT_MS,
  }),
  unusedGuests: retention.deleteUnusedGuests(ctx.db, old(ctx, KEPT_MS.unusedGuests)),
  revocations: retention.deleteOldRevocations(ctx.db, old(ctx, KEPT_MS.revocations)),
});

/** Deletes each kind on its own if a statement of the one round trip fails. */
export async function deleteOld(ctx: Ctx): Promise<void> {
  try {
    const { revocations } = await batch(ctx.db, deletions(ctx));
    tellGivenUp(ctx, revocations.rows.length);
  } catch (error) {
    ctx.log('warn', 'what is old is deleted one kind at a time', { error });
    const { revocations, ...others } = deletions(ctx);
    const alone = async (chore: string, work: PromiseLike<unknown>) => {
      try {
        await work;
      } catch (cause) {
        ctx.log('error', 'sweep failed', { chore, error: cause });
      }
    };
    for (const [name, deletion] of Object.entries(others)) await alone(name, deletion);
    await alone(
      'revocations',
      revocations.then(({ rows }) => tellGivenUp(ctx, rows.length)),
    );
  }
}

function tellGivenUp(ctx: Ctx, grants: number): void {
  if (grants > 0) ctx.log('error', 'grants were given up that the provider never accepted the end of', { grants });
}

/**
 * Erases guests of platforms that were deleted, and users whose address went to another person and who did not connect
 * again, after `KEPT_MS.endedUsers`.
 */
export async function eraseEndedUsers(ctx: Ctx): Promise<void> {
  const ended = old(ctx, KEPT_MS.endedUsers, USERS_AT_ONCE);
  for (const userId of await retention.listEndedUsers(ctx.db, ended))
    await batch(ctx.db, {
      lock: lockAccount(ctx.db, userId),
      person: lockUser(ctx.db, userId),
      ...(await erasing(ctx, { userId, endedBefore: ended.before })),
    });
  for (const guest of await retention.listOrphanedGuests(ctx.db, ended)) await eraseGuestRow(ctx, guest);
}
