import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { RESCHEDULED } from '../api/webhook-events/names.ts';
import { deliveries, isRescheduled } from '../tables/deliveries.ts';

/** Filter of a platform's delivery log. A field that is left out filters nothing. */
export interface DeliveryFilter {
  platformId: string;
  /**
   * Type of the events to list. `meeting.rescheduled` lists the `meeting.updated` events, and those `meeting.scheduled`
   * events that report the new meeting of a reschedule.
   */
  event?: string | undefined;
  status?: 'success' | 'failed' | 'pending' | undefined;
  /** URL to which the events were sent. */
  url?: string | undefined;
  /** Instants between which the deliveries were created, in epoch ms. The end is excluded. */
  from?: number | undefined;
  to?: number | undefined;
}

/** Returns an SQL condition that is true for the deliveries that match a filter. */
export const matches = ({ platformId, event, status, url, from, to }: DeliveryFilter) =>
  and(
    eq(deliveries.platformId, platformId),
    status === undefined ? undefined : eq(deliveries.status, status),
    event === undefined ? undefined : isNamed(event),
    url === undefined ? undefined : and(sql`md5(${deliveries.url}) = md5(${url})`, eq(deliveries.url, url)),
    from === undefined ? undefined : gte(deliveries.createdAt, from),
    to === undefined ? undefined : lt(deliveries.createdAt, to),
  );

/**
 * Returns an SQL condition that is true if a delivery's event has this name. `meeting.rescheduled` matches
 * `meeting.updated`, and also the `meeting.scheduled` events of replacement meetings.
 */
const isNamed = (event: string) =>
  event === RESCHEDULED ? isRescheduled(deliveries) : eq(deliveries.eventType, event);

/**
 * SQL condition for a failed delivery that is the newest one of its event, so the event has not arrived. It leaves out
 * tests.
 */
export const isUndelivered = sql`${deliveries.status} = 'failed' and ${deliveries.eventAt} is not null`;
