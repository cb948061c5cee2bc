import { and, eq, sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import type { OnlyIf } from '../deliveries/queries.ts';
import { settlements } from './table.ts';

export type SettlementKind = (typeof settlements.$inferSelect)['kind'];

interface Name {
  meetingId: string;
  kind: SettlementKind;
}

const named = ({ meetingId, kind }: Name) => and(eq(settlements.meetingId, meetingId), eq(settlements.kind, kind));

interface Change {
  hold: { id: string; owner: string };
  kind: 'move' | 'cancel';
  intent: Record<string, unknown>;
  requester?: string | undefined;
}

interface NewSettlement extends Name {
  intent?: Record<string, unknown> | undefined;
  dueAt: number;
  now: number;
  /** Without it the row must go in; with it, only where the condition holds, merged into one that is there. */
  onlyIf?: OnlyIf;
}

/** Promises work on the calendar. */
export function insertSettlement(db: Db, { meetingId, kind, intent = {}, dueAt, now, onlyIf }: NewSettlement) {
  return db.execute(sql`
    insert into ${settlements} (meeting_id, kind, intent, due_at, created_at)
    select ${meetingId}::text, ${kind}::text, ${JSON.stringify(intent)}::jsonb, ${at(dueAt)}, ${at(now)}
    where ${onlyIf ?? sql`true`}
    ${onlyIf ? sql`on conflict (meeting_id, kind) do update set intent = ${settlements.intent} || excluded.intent, due_at = excluded.due_at` : sql``}`);
}

/**
 * Promises a change of a meeting that this writer has just claimed. Not claimed, or its requester is not the one named:
 * the batch fails, as `meeting_id` is null.
 */
export function insertChange(
  db: Db,
  { hold, kind, intent, requester, dueAt, now }: Change & { dueAt: number; now: number },
) {
  return db.execute(sql`
    insert into ${settlements} (meeting_id, kind, intent, due_at, created_at)
    values ((
      select m.id from meetings m join meeting_people p on p.meeting_id = m.id and p.position = 0
      where m.id = ${hold.id} and m.owner = ${hold.owner} and m.lease_until is not null
        and ${requester === undefined ? sql`true` : sql`p.email = ${requester}`}
    ), ${kind}::text, ${JSON.stringify(intent)}::jsonb, ${at(dueAt)}, ${at(now)})`);
}

/** All work on a meeting that is no more. */
export const deleteSettlements = (db: Db, { meetingId, onlyIf }: { meetingId: string; onlyIf: OnlyIf }) =>
  db.delete(settlements).where(and(eq(settlements.meetingId, meetingId), onlyIf));

/** The work is done, or undone. */
export const deleteSettlement = (db: Db, { onlyIf, ...name }: Name & { onlyIf: OnlyIf }) =>
  db.delete(settlements).where(and(named(name), onlyIf));

/** The work could not be done yet. */
export const postponeSettlement = (db: Db, { dueAt, onlyIf, ...name }: Name & { dueAt: number; onlyIf: OnlyIf }) =>
  db
    .update(settlements)
    .set({ dueAt, attempts: sql`${settlements.attempts} + 1` })
    .where(and(named(name), onlyIf));
