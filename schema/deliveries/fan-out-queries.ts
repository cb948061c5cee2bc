import { sql } from 'drizzle-orm';
import { at } from '../columns.ts';
import type { Db } from '../db.ts';
import type { OnlyIf } from './queries.ts';

/** The places in a template that differ by platform; random words, so that nothing else can be one. */
export interface Marks {
  eventId: string;
  platformId: string;
  publishableKey: string;
}

export interface FanOut {
  email: string;
  eventType: string;
  /** The envelope as JSON text with marks in it. */
  template: string;
  marks: Marks;
  /** 256 random bits, from which each platform's ids are derived. */
  seed: string;
  now: number;
  onlyIf?: OnlyIf | undefined;
}

/**
 * Statement: one delivery for each platform the user of this address is connected with when it runs, if its endpoint
 * wants the event; answers their ids, which begin like those of `lib/webhooks/delivery-id.ts`.
 */
export function insertDeliveriesToConnected(db: Db, fanOut: FanOut) {
  const { email, eventType, template, marks, seed, onlyIf } = fanOut;
  const written = at(fanOut.now);
  const idOf = (what: string) =>
    sql`left(translate(encode(sha256(convert_to(${`${seed}:${what}:`} || c.platform_id, 'UTF8')), 'base64'), '+/=', 'AB'), 20)`;
  return db.execute<{ id: string }>(sql`
    insert into deliveries
      (id, event_id, platform_id, event_type, body, url, status, max_attempts, next_attempt_at, created_at, event_at)
    select 'wh_del_' || substr(c.platform_id, 6, 8) || ${idOf('delivery')}, ids.event_id, c.platform_id, ${eventType}::text,
      replace(replace(replace(${template}::text,
        ${marks.eventId}::text, ids.event_id),
        ${marks.platformId}::text, c.platform_id),
        ${marks.publishableKey}::text, coalesce(k.publishable_key, '')),
      w.url, 'pending', w.max_retries, ${written}, ${written}, ${written}
    from connections c
    join users u on u.id = c.user_id and u.email = ${email}
    join webhook_endpoints w on w.platform_id = c.platform_id and w.enabled
      and (cardinality(w.events) = 0 or ${eventType}::text = any(w.events))
    left join api_keys k on k.platform_id = c.platform_id and k.kind = 'publishable' and k.revoked_at is null
    cross join lateral (select 'wh_' || ${idOf('event')} as event_id) ids
    where c.disconnected_at is null and ${onlyIf ?? sql`true`}
    returning id`);
}
