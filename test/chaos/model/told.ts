import type { Act, Arrival, Moment, Trace } from '../trace.ts';

type Texts = Record<string, string>;

export interface Told {
  id: string;
  type: string;
  platform: string;
  /** Time at which the Worker wrote the event, in epoch ms by its own clock. */
  written: number;
  at: Moment;
  data: Texts & { attendees: string[]; changes: Texts };
}

export const instant = (text: string | undefined) => Date.parse(text ?? '');

export const arePeople = (some: string[] | undefined, others: string[] | undefined) =>
  [...(some ?? [])].sort().join() === [...(others ?? [])].sort().join();

export function groups<T>(all: T[], keyOf: (one: T) => string): [string, T[]][] {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return [...found];
}

/** Returns the events that the platforms received, each once, in order of first arrival. */
export function toldIn({ arrivals, platforms }: Trace): Told[] {
  return groups(arrivals, ({ text }) => JSON.parse(text).id).map(([, [first]]) => {
    const { url, text, at } = first as Arrival;
    const { id, event_type: type, timestamp, data } = JSON.parse(text);
    const platform = platforms.find(({ webhookUrl }) => webhookUrl === url)?.id ?? '';
    return { id, type, platform, written: instant(timestamp), at, data };
  });
}

const MOST_ATTEMPTS = 3;
/** Largest number of attempts of one delivery that the Worker made but could not record, each because of a fault. */
const MOST_UNCOUNTED = 6;

/**
 * Checks the deliveries: each has one event and constant bytes, each event has the same bytes in all its deliveries and
 * one platform, and nothing arrives more often than allowed.
 */
export function strangeDeliveries({ arrivals, platforms, quietFrom }: Trace): string[] {
  const byDelivery = groups(arrivals, ({ deliveryId }) => deliveryId).flatMap(([id, all]) => {
    const late = all.filter(({ at }) => at > quietFrom).length;
    return [
      ...(new Set(all.map(({ text }) => text)).size === 1 ? [] : [`delivery ${id} brought different bytes`]),
      ...(late <= MOST_ATTEMPTS ? [] : [`delivery ${id} arrived ${late} times although nothing failed`]),
      ...(all.length <= MOST_ATTEMPTS + MOST_UNCOUNTED ? [] : [`delivery ${id} arrived ${all.length} times`]),
    ];
  });
  const byEvent = groups(arrivals, ({ text }) => JSON.parse(text).id).flatMap(([id, all]) => {
    const owner = platforms.find(({ webhookUrl }) => webhookUrl === all[0]?.url)?.id;
    const named = JSON.parse(all[0]?.text ?? '{}').platform_id;
    return [
      ...(new Set(all.map(({ text }) => text)).size === 1 ? [] : [`event ${id} came in different bytes`]),
      ...(new Set(all.map(({ url }) => url)).size === 1 && owner === named ? [] : [`event ${id} came to a stranger`]),
    ];
  });
  return [...byDelivery, ...byEvent];
}

export const isDecline = ({ kind, response }: Pick<Act, 'kind' | 'response'>) =>
  kind === 'answered' && response === 'declined';

export const declinesOf = (eventId: string | undefined, { acts }: Trace, email?: string): Act[] =>
  acts.filter((act) => isDecline(act) && act.eventId === eventId && (email === undefined || act.email === email));

export const isCancelledForDecline = (platform: string, eventId: string | undefined, trace: Trace): boolean =>
  trace.cancelling.includes(platform) && declinesOf(eventId, trace).length > 0;
