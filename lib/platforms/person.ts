import { selectPublishableKey } from '../../schema/access/api-keys.ts';
import { selectConnection } from '../../schema/access/connections.ts';
import { batch } from '../../schema/db.ts';
import { listDeliveriesOfPerson } from '../../schema/delivery/deliveries-log.ts';
import { listUserMeetings } from '../../schema/meetings/list.ts';
import { authorizeUrl } from '../calendars/authorize-url.ts';
import { knownZone } from '../engine/time/zone.ts';
import type { Ctx, PlatformRef } from '../kit/context.ts';
import { userGone } from '../kit/errors.ts';
import { sayRule } from '../learning/ledger.ts';
import { wholePreferences } from '../person/person.ts';

const MEETINGS = 10;

/**
 * Shows what a platform may know: calendar state, preferences, rules, meetings with this platform, deliveries, and a
 * link to connect. `person` is undefined if they are not connected to this platform.
 */
export async function readPerson(ctx: Ctx, { id: platformId }: PlatformRef, email: string) {
  const {
    people: [row],
    keys: [key],
    meetings,
    deliveries,
  } = await batch(ctx.db, {
    people: selectConnection(ctx.db, { platformId, email }),
    keys: selectPublishableKey(ctx.db, { platformId }),
    meetings: listUserMeetings(ctx.db, {
      ...{ platformId, email, from: ctx.clock.now(), limit: MEETINGS, after: undefined },
    }),
    deliveries: listDeliveriesOfPerson(ctx.db, { platformId, email }),
  });
  if (key === undefined) throw userGone();
  return {
    email,
    person: row && {
      ...row,
      timeZone: knownZone(row.timeZone),
      preferences: wholePreferences(row),
      rules: row.rules.map(sayRule),
    },
    meetings,
    deliveries,
    connectUrl: authorizeUrl(ctx, key.key, { email }),
  };
}

export type PersonLife = Awaited<ReturnType<typeof readPerson>>;
