import type { Arrival, Moment, Trace } from '../trace.ts';

type Texts = Record<string, string>;

/** An event as a platform was told of it. */
export interface Told {
  id: string;
  type: string;
  platform: string;
  /** When the Worker wrote it, epoch ms by its own clock. */
  written: number;
  /** When it first came. */
  at: Moment;
  data: Texts & { attendees: string[]; changes: Texts };
}

export const instant = (text: string | undefined) => Date.parse(text ?? '');

/** The same two people, in any order. */
export const arePeople = (some: string[] | undefined, others: string[] | undefined) =>
  [...(some ?? [])].sort().join() === [...(others ?? [])].sort().join();

export function groups<T>(all: T[], keyOf: (one: T) => string): [string, T[]][] {
  const found = new Map<string, T[]>();
  for (const one of all) found.set(keyOf(one), [...(found.get(keyOf(one)) ?? []), one]);
  return [...found];
}

/** What the platforms were told, each event once, in the order it first came. */
export function toldIn({ arrivals, platforms }: Trace): Told[] {
  return groups(arrivals, ({ text }) => JSON.parse(text).id).map(([, [first]]) => {
    const { url, text, at } = first as Arrival;
    const { id, event_type: type, timestamp, data } = JSON.parse(text);
    const platform = platforms.find(({ webhookUrl }) => webhookUrl === url)?.id ?? '';
    return { id, type, platform, written: instant(timestamp), at, data };
  });
}

const MOST_ATTEMPTS = 3;
/** Attempts of one delivery that the Worker made and could not write down, each for a fault of its own. */
const MOST_UNCOUNTED = 6;

/**
 * A delivery has one event and its bytes stay, an event has them in all its deliveries and is one platform's; nothing
 * arrives more often than it may, least of all once nothing fails any more.
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
