import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn } from 'drizzle-orm/pg-core';
import { forgetNetworks } from '../access/audit-log.ts';
import { deleteRules } from '../access/learning.ts';
import { guestId, type Invited, knownPerson } from '../access/people.ts';
import { deleteCodesOf, deleteSessionsOf } from '../access/sessions.ts';
import { isErased } from '../access/users.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { addCounts, columnsCounted } from '../meetings/meeting-months.ts';
import { endProposals, isIdle, isProposalOf } from '../meetings/proposals-end.ts';
import { apiKeys } from '../tables/api-keys.ts';
import { batches, batchMeetings } from '../tables/batches.ts';
import { calendarAccounts } from '../tables/calendar-accounts.ts';
import { eventAnswers, meetingPeople, meetings } from '../tables/meetings.ts';
import { meetingMonths } from '../tables/platforms.ts';
import { proposals, proposalTimes } from '../tables/proposals.ts';
import { connections, learningLedger, users } from '../tables/users.ts';

/** Has their account at the provider. Returns undefined for an unknown or an already erased user. */
export async function findErasable(db: Db, userId: string) {
  const [user] = await db
    .select({ email: users.email, providerId: calendarAccounts.providerId, endedAt: users.endedAt })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(users.id, userId));
  return user;
}

/** `hasConnected`: the person ever connected, and is no guest therefore. Undefined for an unknown address. */
export async function findGuest(db: Db, invited: Invited) {
  const { rows } = await db.execute<{ id: string; is_guest: boolean }>(sql`
    select u.id, u.guest_of is not null as is_guest from ${users} u where u.ended_at is null and u.id = coalesce(${guestId(invited)}, ${knownPerson(invited)})`);
  const [found] = rows;
  return found && { id: found.id, hasConnected: !found.is_guest };
}

export async function listMeetingAddresses(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ email: meetingPeople.email })
    .from(meetingPeople)
    .where(eq(meetingPeople.userId, userId));
  return rows.map(({ email }) => email);
}

interface Erasing {
  userId: string;
  /** Platform whose guest the person is. Undefined for a person with an account. */
  platformId?: string | undefined;
  formerAddress: string;
  /** Placeholder that replaces the erased person's name and addresses in texts. */
  formerName: string;
  addresses: string[];
  /** `inText` has only names that cannot be ordinary words. */
  names: { inTitles: string[]; inText: string[] };
  /** If the person was deleted later than this, in epoch ms, nothing is erased yet. */
  endedBefore?: number | undefined;
  now: number;
}

/**
 * Builds the statements that erase a person's data. Only the other people's records stay: that a meeting had an
 * attendee, under an address that nobody has. Run them after the statements that end the person's connections, with the
 * account and the person locked. Each later statement checks that the first one took effect.
 */
export const eraseStatements = (
  db: Db,
  { userId, platformId, formerAddress, formerName, addresses, names, endedBefore, now }: Erasing,
) => {
  const done = sql`exists (select 1 from ${users} e where e.id = ${userId} and e.email = ${formerAddress})`;
  const inText = { addresses, names: names.inText, formerName };
  // A batch of a platform that never had the person must not show that they used Tandem elsewhere.
  const hadPerson = sql`exists (select 1 from ${connections} c where c.user_id = ${userId} and c.platform_id = b.platform_id)`;
  const ofPlatform = platformId === undefined ? hadPerson : sql`b.platform_id = ${platformId}`;
  const when = endedBefore === undefined ? sql`true` : sql`${users.endedAt} < ${at(endedBefore)}`;
  return {
    user: db
      .update(users)
      .set({
        email: formerAddress,
        calendarTimeZone: '',
        preferences: {},
        suggestedBy: null,
        suggested: [],
        weights: {},
        onboardingCompleted: false,
        guestOf: null,
        guestEmail: null,
        endedAt: sql`coalesce(${users.endedAt}, ${at(now)})`,
      })
      .where(sql`${users.id} = ${userId} and not ${isErased} and ${when}`)
      .returning({ id: users.id }),
    sessions: deleteSessionsOf(db, { userId, guard: done }),
    networks: forgetNetworks(db, { userId, guard: done }),
    codes: deleteCodesOf(db, { userId, guard: done }),
    keys: db.delete(apiKeys).where(and(eq(apiKeys.userId, userId), done)),
    ledger: db.delete(learningLedger).where(and(eq(learningLedger.userId, userId), done)),
    rules: deleteRules(db, { userId, guard: done }),
    texts: db
      .update(meetings)
      .set({
        title: without(sql`${meetings.title}`, { addresses, names: names.inTitles, formerName }),
        description: without(sql`${meetings.description}`, inText),
        location: without(sql`${meetings.location}`, inText),
        reading: null,
        metadata: withoutInPairs(sql`${meetings.metadata}`, inText),
      })
      .where(
        sql`${meetings.id} in (select p.meeting_id from ${meetingPeople} p where p.user_id = ${userId}) and ${done}`,
      ),
    proposalTexts: db
      .update(proposals)
      .set({
        requesterEmail: sql`case ${proposals.requesterId} when ${userId} then ${formerAddress} else ${proposals.requesterEmail} end`,
        requesterName: sql`case ${proposals.requesterId} when ${userId} then null else ${proposals.requesterName} end`,
        otherEmail: sql`case ${proposals.otherId} when ${userId} then ${formerAddress} else ${proposals.otherEmail} end`,
        title: without(sql`${proposals.title}`, { addresses, names: names.inTitles, formerName }),
        description: without(sql`${proposals.description}`, inText),
        location: without(sql`${proposals.location}`, inText),
        reason: null,
        reading: null,
        tokenHash: null,
        token: null,
        guestName: null,
        guestTimeZone: null,
        metadata: withoutInPairs(sql`${proposals.metadata}`, inText),
        // A proposal that somebody is accepting ends with the next background sweep if the acceptance is undone.
        expiresAt: sql`least(${proposals.expiresAt}, ${at(now)})`,
      })
      .where(and(or(eq(proposals.requesterId, userId), eq(proposals.otherId, userId)), done)),
    offeredTimes: db
      .update(proposalTimes)
      .set({ reason: ERASED_TIME })
      .where(
        sql`${proposalTimes.proposalId} in (select p.id from ${proposals} p where ${userId} in (p.requester_id, p.other_id)) and ${done}`,
      ),
    erasedProposals: endProposals(db, { which: isIdle(sql`${isProposalOf(userId)} and ${done}`), now }),
    // A meeting of a batch that was not booked yet fails, because nobody has the former address.
    batchMeetings: db
      .update(batchMeetings)
      .set({
        requesterEmail: sql`case when ${isAddress(batchMeetings.requesterEmail, addresses)} then ${formerAddress} else ${batchMeetings.requesterEmail} end`,
        otherEmail: sql`case when ${isAddress(batchMeetings.otherEmail, addresses)} then ${formerAddress} else ${batchMeetings.otherEmail} end`,
        reference: without(sql`${batchMeetings.reference}`, inText),
        request: sql`${batchMeetings.request} || jsonb_strip_nulls(jsonb_build_object(
          'title', ${without(sql`${batchMeetings.request} ->> 'title'`, { addresses, names: names.inTitles, formerName })},
          'metadata', ${withoutInPairs(sql`coalesce(${batchMeetings.request} -> 'metadata', '{}'::jsonb)`, inText)}))`,
        reason: sql`case when ${batchMeetings.reason} is null then null else ${batchMeetings.reason} || jsonb_build_object(
          'message', ${ERASED_REASON}::text, 'suggestions', '[]'::jsonb, 'relaxations', '[]'::jsonb) end`,
      })
      .where(
        and(
          or(isAddress(batchMeetings.requesterEmail, addresses), isAddress(batchMeetings.otherEmail, addresses)),
          sql`exists (select 1 from ${batches} b join ${users} e on e.id = ${userId}
            where b.id = ${batchMeetings.batchId} and b.created_at <= e.ended_at and ${ofPlatform})`,
          done,
        ),
      ),
    months: db.delete(meetingMonths).where(and(eq(meetingMonths.party, userId), done)),
    people: db
      .update(meetingPeople)
      .set({ email: formerAddress, guestTimeZone: null })
      .where(and(eq(meetingPeople.userId, userId), done)),
    account: db.delete(calendarAccounts).where(and(eq(calendarAccounts.userId, userId), done)),
  };
};

/** Replaces the sentence that says why a meeting of a batch has no time, because such a sentence may name the person. */
const ERASED_REASON = 'This meeting was not booked, and one of its two people was erased since.';

/** Replaces the sentence about a time of a proposal for the same reason. */
const ERASED_TIME = 'This time was offered, and one of the two people was erased since.';

const isAddress = (column: AnyPgColumn, addresses: string[]) =>
  sql`${column} = any(array(select jsonb_array_elements_text(${JSON.stringify(addresses)}::jsonb)))`;

const withoutInPairs = (metadata: SQL, who: Parameters<typeof without>[1]): SQL => sql`(
  select coalesce(jsonb_object_agg(${without(sql`pair.key`, who)}, ${without(sql`pair.value`, who)}), '{}'::jsonb)
  from jsonb_each_text(${metadata}) pair)`;

/** Replaces addresses in any letter case, and names as whole words. */
function without(text: SQL, of: { addresses: string[]; names: string[]; formerName: string }) {
  const unaddressed = replaced(text, wordsOf(of.addresses), 'gi', of.formerName);
  return replaced(unaddressed, wordsOf(of.names), 'g', of.formerName);
}

const replaced = (text: SQL, pattern: string | undefined, flags: string, by: string): SQL =>
  pattern === undefined ? text : sql`regexp_replace(${text}, ${pattern}::text, ${by}::text, ${flags}::text)`;

const literal = (text: string) => text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&');

function wordsOf(texts: string[]): string | undefined {
  if (texts.length === 0) return undefined;
  const longestFirst = texts.toSorted((a, b) => b.length - a.length).map(literal);
  return `(?<![[:alnum:]._%+-])(?:${longestFirst.join('|')})(?![[:alnum:]_-]|\\.[[:alnum:]])`;
}

interface Connecting extends Invited {
  userId: string;
  now: number;
}

/**
 * Selects the guest whose meetings become theirs. Null if there is none, or if the two share a meeting or a proposal,
 * because somebody who invited themselves under another address cannot be both people of it.
 */
const mergedGuest = ({ platformId, email, userId }: Connecting): SQL => sql`(
  select g.id from ${users} g where g.guest_of = ${platformId} and g.guest_email = ${email}
    and not exists (
      select 1 from ${meetingPeople} p join ${meetingPeople} q on q.meeting_id = p.meeting_id
      where p.user_id = g.id and q.user_id = ${userId})
    and not exists (select 1 from ${proposals} r where r.other_id = g.id and r.requester_id = ${userId}))`;

/** A batch that writes a meeting or proposal of the guest locks the same row, so it runs entirely before or after. */
export const lockGuest = (db: Db, { platformId, email }: Invited) =>
  db.execute(sql`
    select g.id from ${users} g where g.guest_of = ${platformId} and g.guest_email = ${email} for update`);

/** Moves meetings, proposals, answers and counters. Must follow `lockGuest`. The guest's own row keeps no address. */
export function mergeGuest(db: Db, connecting: Connecting) {
  const { userId, now } = connecting;
  const guest = mergedGuest(connecting);
  return {
    counted: db.execute(sql`
      insert into ${meetingMonths} (party, month, ${columnsCounted})
      select ${userId}::text, month, ${columnsCounted} from ${meetingMonths} where party = ${guest} order by month
      ${addCounts}`),
    uncounted: db.execute(sql`delete from ${meetingMonths} where party = ${guest}`),
    answers: db.execute(sql`
      update ${eventAnswers} a set user_id = ${userId} where a.user_id = ${guest} and not exists (
        select 1 from ${eventAnswers} own where own.event_id = a.event_id and own.user_id = ${userId})`),
    proposed: db.execute(sql`update ${proposals} set other_id = ${userId} where other_id = ${guest}`),
    met: db.execute(sql`update ${meetingPeople} set user_id = ${userId} where user_id = ${guest}`),
    merged: db.execute(sql`
      update ${users} set guest_of = null, guest_email = null, ended_at = ${at(now)}
      where guest_of = ${connecting.platformId} and guest_email = ${connecting.email} and not exists (
        select 1 from ${meetingPeople} p where p.user_id = users.id) and not exists (
        select 1 from ${proposals} r where r.other_id = users.id)`),
  };
}
