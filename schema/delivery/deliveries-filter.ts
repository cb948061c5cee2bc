import { and, eq, gte, lt, sql } from 'drizzle-orm';
import { RESCHEDULED } from '../api/webhook-events/names.ts';
import { deliveries, isRescheduled } from '../tables/deliveries.ts';

export interface DeliveryFilter {
  platformId: string;
  /** `meeting.rescheduled` lists `meeting.updated`, and `meeting.scheduled` that reports a replacement. */
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

/** `meeting.rescheduled` matches `meeting.updated`, and the `meeting.scheduled` of replacement meetings. */
const isNamed = (event: string) =>
  event === RESCHEDULED ? isRescheduled(deliveries) : eq(deliveries.eventType, event);

/** Its event has not arrived, because only the newest delivery has `event_at`. Leaves out tests. */
export const isUndelivered = sql`${deliveries.status} = 'failed' and ${deliveries.eventAt} is not null`;
