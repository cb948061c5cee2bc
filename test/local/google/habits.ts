import { setTimeout as sleep } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
import { isCancelledFor, responseOf } from './attendance.ts';
import type { GoogleEnv } from './bearer.ts';
import { GoogleError } from './errors.ts';
import { answerEvent } from './event-write.ts';
import { changePersonally } from './person.ts';
import { eventsOf, type Store, type StoredEvent } from './store.ts';

const AFTER_MS = 60_000;
const LATER_MS = 3_600_000;
const SLOW_MS = 2_000;

/** Makes calendars slow, or unavailable, whose people have that habit. */
export const habitualTrouble =
  (store: Store): MiddlewareHandler<GoogleEnv> =>
  async (c, next) => {
    const habit = store.settings.habits.get(c.var.session.person.email);
    if (habit === 'down') throw new GoogleError(503, 'backendError', 'Service Unavailable');
    if (habit === 'slow') await sleep(SLOW_MS);
    await next();
  };

/** Does what people do by habit and what is due now. Returns the number of changes. */
export function actByHabit(store: Store): number {
  let changes = 0;
  for (const [email, habit] of store.settings.habits) {
    for (const event of [...eventsOf(store, email).values()]) {
      if (isCancelledFor(event, email) || store.clock.now() - event.created < AFTER_MS) continue;
      if (habit === 'declines' && isUnanswered(event, email))
        changes += Number(answerEvent(store, event, email, 'declined'));
      if (habit === 'moves' && isUnmoved(event, email)) {
        changePersonally(store, { email, eventId: event.id, ...laterTimes(event) });
        changes += 1;
      }
    }
  }
  return changes;
}

const isUnanswered = (event: StoredEvent, email: string) =>
  event.organizer !== email && responseOf(event, email) === 'needsAction';

const isUnmoved = ({ organizer, sequence, fields }: StoredEvent, email: string) =>
  organizer === email && sequence === 0 && (fields.attendees ?? []).some((attendee) => attendee.email !== email);

function laterTimes({ fields: { start, end } }: StoredEvent) {
  const later = (time: typeof start) => new Date(Date.parse(time?.dateTime ?? '') + LATER_MS).toISOString();
  return { start: later(start), end: later(end) };
}
