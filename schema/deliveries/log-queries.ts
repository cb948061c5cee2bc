import { and, asc, desc, eq, gte, like, or, sql } from 'drizzle-orm';
import type { Place } from '../api/paging.ts';
import { RESCHEDULED } from '../api/webhook-events.ts';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import { deliveries, deliveryAttempts, deliveryDays } from './table.ts';

const record = {
  id: deliveries.id,
  eventId: deliveries.eventId,
  eventType: deliveries.eventType,
  createdAt: deliveries.createdAt,
  status: deliveries.status,
  responseCode: deliveries.responseCode,
  attempts: deliveries.attempts,
  durationMs: deliveries.durationMs,
  error: deliveries.error,
  url: deliveries.url,
  replayOf: deliveries.replayOf,
};

export type DeliveryRow = Awaited<ReturnType<typeof listDeliveries>>[number];

export interface LogFilter {
  platformId: string;
  limit: number;
  /** A type, or the name of several. */
  event?: string | undefined;
  status?: 'success' | 'failed' | 'pending' | undefined;
  after?: Place | undefined;
}

/** Whether the event has this name: its type, or that of a meeting's move, which replacements have too. */
function isNamed(event: string) {
  if (event !== RESCHEDULED) return eq(deliveries.eventType, event);
  const replaces = and(eq(deliveries.eventType, 'meeting.scheduled'), like(deliveries.body, '%"rescheduled_from":%'));
  return or(eq(deliveries.eventType, 'meeting.updated'), replaces);
}

/** Deliveries, those under way too, newest first; a row that comes later never moves one between pages. */
export const listDeliveries = (db: Db, { platformId, limit, event, status, after }: LogFilter) =>
  db
    .select(record)
    .from(deliveries)
    .where(
      and(
        eq(deliveries.platformId, platformId),
        status === undefined ? undefined : eq(deliveries.status, status),
        event === undefined ? undefined : isNamed(event),
        after && sql`(${deliveries.createdAt}, ${deliveries.id}) < (${at(after.at)}, ${after.id})`,
      ),
    )
    .orderBy(desc(deliveries.createdAt), desc(deliveries.id))
    .limit(limit);

/** One delivery of a platform, pending ones too, with the body that was sent and the meeting it is about. */
export const findDelivery = (db: Db, { platformId, id }: { platformId: string; id: string }) =>
  db
    .select({ ...record, body: deliveries.body, meetingId: deliveries.meetingId })
    .from(deliveries)
    .where(and(eq(deliveries.platformId, platformId), eq(deliveries.id, id)));

/** The attempts at a platform's delivery, first to last. */
export const listAttempts = (db: Db, { platformId, id }: { platformId: string; id: string }) =>
  db
    .select({
      number: deliveryAttempts.number,
      startedAt: deliveryAttempts.startedAt,
      responseCode: deliveryAttempts.responseCode,
      durationMs: deliveryAttempts.durationMs,
      error: deliveryAttempts.error,
    })
    .from(deliveryAttempts)
    .innerJoin(deliveries, eq(deliveries.id, deliveryAttempts.deliveryId))
    .where(and(eq(deliveries.platformId, platformId), eq(deliveryAttempts.deliveryId, id)))
    .orderBy(asc(deliveryAttempts.number));

/** Statement: the deliveries of a platform that are about one of its meetings, those under way too, in order. */
export const listDeliveriesOfMeeting = (db: Db, { platformId, meetingId }: { platformId: string; meetingId: string }) =>
  db
    .select({ ...record, body: deliveries.body, finishedAt: deliveries.finishedAt })
    .from(deliveries)
    .where(and(eq(deliveries.platformId, platformId), eq(deliveries.meetingId, meetingId)))
    .orderBy(asc(deliveries.createdAt), asc(deliveries.id))
    .limit(MOST_OF_MEETING);

/** A meeting that is moved back and forth for a month has fewer. */
const MOST_OF_MEETING = 200;

/** Statement: how a platform's deliveries ended by UTC day, from one on; days on which none ended have no row. */
export const listDeliveryDays = (db: Db, { platformId, sinceDay }: { platformId: string; sinceDay: string }) =>
  db
    .select({ day: deliveryDays.day, success: deliveryDays.success, failed: deliveryDays.failed })
    .from(deliveryDays)
    .where(and(eq(deliveryDays.platformId, platformId), gte(deliveryDays.day, sinceDay)))
    .orderBy(asc(deliveryDays.day));

/** How a platform's deliveries ended in all, and since a UTC day (`YYYY-MM-DD`). */
export const sumDeliveries = (db: Db, { platformId, sinceDay }: { platformId: string; sinceDay: string }) => {
  const recent = sql`${deliveryDays.day} >= ${sinceDay}::date`;
  const sum = (value: ReturnType<typeof sql>, where = sql`true`) =>
    sql`coalesce(sum(${value}) filter (where ${where}), 0)`.mapWith(Number);
  return db
    .select({
      success: sum(sql`${deliveryDays.success}`),
      failed: sum(sql`${deliveryDays.failed}`),
      answered: sum(sql`${deliveryDays.answered}`),
      answeredMs: sum(sql`${deliveryDays.answeredMs}`),
      recentSuccess: sum(sql`${deliveryDays.success}`, recent),
      recentFailed: sum(sql`${deliveryDays.failed}`, recent),
      recentAnswered: sum(sql`${deliveryDays.answered}`, recent),
      recentAnsweredMs: sum(sql`${deliveryDays.answeredMs}`, recent),
    })
    .from(deliveryDays)
    .where(eq(deliveryDays.platformId, platformId));
};
