import { and, eq, or, type SQL, sql } from 'drizzle-orm';
import { apiKeys } from '../api-keys/table.ts';
import { forgetNetworks } from '../audit-log/queries.ts';
import { calendarAccounts } from '../calendar-accounts/table.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { learningLedger } from '../learning/table.ts';
import { meetingMonths } from '../meeting-months/table.ts';
import { meetingPeople, meetings } from '../meetings/table.ts';
import { proposals } from '../proposals/table.ts';
import { deleteSessionsOf } from '../sessions/queries.ts';
import { deleteRules } from '../standing-rules/queries.ts';
import { isErased } from './identity-queries.ts';
import { users } from './table.ts';

/**
 * Finds a user whose personal data can be erased, with their account at the provider. Returns undefined for an unknown
 * or an already erased user.
 */
export async function findErasable(db: Db, userId: string) {
  const [user] = await db
    .select({ email: users.email, providerId: calendarAccounts.providerId, endedAt: users.endedAt })
    .from(users)
    .innerJoin(calendarAccounts, eq(calendarAccounts.userId, users.id))
    .where(eq(users.id, userId));
  return user;
}

/** Lists every address under which the person was in a meeting. */
export async function listMeetingAddresses(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectDistinct({ email: meetingPeople.email })
    .from(meetingPeople)
    .where(eq(meetingPeople.userId, userId));
  return rows.map(({ email }) => email);
}

interface Erasing {
  userId: string;
  formerAddress: string;
  /** Name that replaces the erased person's name and addresses in texts. */
  formerName: string;
  addresses: string[];
  /**
   * Names of the person to remove from meeting titles, and names that are unambiguous enough to be removed from longer
   * texts too.
   */
  names: { inTitles: string[]; inText: string[] };
  /** Latest time of deletion. The person is erased only if they were deleted before this time. */
  endedBefore?: number | undefined;
  now: number;
}

/**
 * Builds the statements that erase a person. They keep only the other person's record: that a meeting had an attendee,
 * under an address that nobody has. Run them under the locks of the account and the person, and after the statements
 * that end the person's connections. Each later statement checks that the first one took effect.
 */
export const eraseStatements = (
  db: Db,
  { userId, formerAddress, formerName, addresses, names, endedBefore, now }: Erasing,
) => {
  const done = sql`exists (select 1 from ${users} e where e.id = ${userId} and e.email = ${formerAddress})`;
  const inText = { addresses, names: names.inText, formerName };
  const when = endedBefore === undefined ? sql`true` : sql`${users.endedAt} < ${at(endedBefore)}`;
  return {
    user: db
      .update(users)
      .set({
        email: formerAddress,
        calendarTimeZone: 'UTC',
        preferences: {},
        weights: {},
        onboardingCompleted: false,
        endedAt: sql`coalesce(${users.endedAt}, ${at(now)})`,
      })
      .where(sql`${users.id} = ${userId} and not ${isErased} and ${when}`)
      .returning({ id: users.id }),
    sessions: deleteSessionsOf(db, { userId, guard: done }),
    networks: forgetNetworks(db, { userId, guard: done }),
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
    // The next tick of the minute's timer ends the open proposals, and sends their events.
    proposals: db
      .update(proposals)
      .set({
        requesterEmail: sql`case ${proposals.requesterId} when ${userId} then ${formerAddress} else ${proposals.requesterEmail} end`,
        otherEmail: sql`case ${proposals.otherId} when ${userId} then ${formerAddress} else ${proposals.otherEmail} end`,
        title: without(sql`${proposals.title}`, { addresses, names: names.inTitles, formerName }),
        description: without(sql`${proposals.description}`, inText),
        location: without(sql`${proposals.location}`, inText),
        reason: null,
        metadata: withoutInPairs(sql`${proposals.metadata}`, inText),
        expiresAt: sql`least(${proposals.expiresAt}, ${at(now)})`,
      })
      .where(and(or(eq(proposals.requesterId, userId), eq(proposals.otherId, userId)), done)),
    months: db.delete(meetingMonths).where(and(eq(meetingMonths.party, userId), done)),
    people: db
      .update(meetingPeople)
      .set({ email: formerAddress })
      .where(and(eq(meetingPeople.userId, userId), done)),
    account: db.delete(calendarAccounts).where(and(eq(calendarAccounts.userId, userId), done)),
  };
};

/** Returns SQL for metadata in whose keys and values a placeholder replaces a person. */
const withoutInPairs = (metadata: SQL, who: Parameters<typeof without>[1]): SQL => sql`(
  select coalesce(jsonb_object_agg(${without(sql`pair.key`, who)}, ${without(sql`pair.value`, who)}), '{}'::jsonb)
  from jsonb_each_text(${metadata}) pair)`;

/**
 * Returns SQL for a text in which a placeholder replaces a person: their addresses in any letter case, and their names
 * as whole words.
 */
function without(
  text: SQL,
  { addresses, names, formerName }: { addresses: string[]; names: string[]; formerName: string },
) {
  const unaddressed = replaced(text, wordsOf(addresses), 'gi', formerName);
  return replaced(unaddressed, wordsOf(names), 'g', formerName);
}

const replaced = (text: SQL, pattern: string | undefined, flags: string, by: string): SQL =>
  pattern === undefined ? text : sql`regexp_replace(${text}, ${pattern}::text, ${by}::text, ${flags}::text)`;

const literal = (text: string) => text.replace(/[^\p{L}\p{N}\s]/gu, '\\$&');

/**
 * Returns a regular expression that matches any of the given texts as a whole word. Returns undefined if there are
 * none.
 */
function wordsOf(texts: string[]): string | undefined {
  if (texts.length === 0) return undefined;
  const longestFirst = texts.toSorted((a, b) => b.length - a.length).map(literal);
  return `(?<![[:alnum:]._%+-])(?:${longestFirst.join('|')})(?![[:alnum:]_-]|\\.[[:alnum:]])`;
}
