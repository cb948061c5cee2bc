import { deliveryHeaders } from '../../webhooks/delivery-headers.ts';
import { sleep } from '../call.ts';
import type { Answers, Tandem } from '../tandem.ts';
import { UsageError } from './usage.ts';

type DeliveryLog = Answers['DeliveryLog'];
type Delivery = DeliveryLog['deliveries'][number];

/** `forwarded` is the local receiver's status, `no answer`, or null if the event was not forwarded. */
export interface ForwardedDelivery extends Delivery {
  forwarded: number | 'no answer' | null;
}

interface ListenOptions {
  since: string;
  forwardTo: string | undefined;
  secret: string | undefined;
  tell: (told: ForwardedDelivery) => void;
  signal: AbortSignal;
}

const PAUSE_MS = 2_000;
const FORWARD_TIMEOUT_MS = 10_000;

/** Reports each new delivery once, oldest first. Runs until the signal aborts. */
export async function listen(tandem: Tandem, options: ListenOptions): Promise<void> {
  const { signal, since, tell } = options;
  const told = new Set<string>();
  while (!signal.aborted) {
    for (const delivery of await newDeliveries(tandem, since, told, signal)) {
      told.add(delivery.id);
      tell({ ...delivery, forwarded: await forward(tandem, delivery, options) });
    }
    await sleep(PAUSE_MS, signal);
  }
}

async function newDeliveries(tandem: Tandem, since: string, told: ReadonlySet<string>, signal: AbortSignal) {
  const found: Delivery[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page: DeliveryLog = await tandem.listDeliveries({ limit: 50, cursor }, { signal });
    const fresh = page.deliveries.filter(({ id, timestamp }) => timestamp >= since && !told.has(id));
    found.push(...fresh);
    cursor = fresh.length === page.deliveries.length ? page.pagination.next_cursor : null;
  }
  return found.reverse();
}

async function forward(
  tandem: Tandem,
  delivery: Delivery,
  { forwardTo, secret, signal }: ListenOptions,
): Promise<ForwardedDelivery['forwarded']> {
  if (forwardTo === undefined) return null;
  const { body } = await tandem.getDelivery(delivery.id, { signal });
  try {
    const headers = await headersOf(delivery, body, secret);
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)]);
    const { status } = await fetch(forwardTo, { method: 'POST', headers, body, signal: timeout });
    return status;
  } catch {
    signal.throwIfAborted();
    return 'no answer';
  }
}

/** Signs the event anew, because the receiver would reject the original signature as too old. */
async function headersOf({ id, event }: Delivery, body: string, secret: string | undefined) {
  if (secret === undefined) return { 'Content-Type': 'application/json', 'X-Service-Event': event };
  const { id: eventId } = JSON.parse(body) as { id: string };
  return deliveryHeaders({ id, eventId, eventType: event, body }, { current: secret, previous: [] }, Date.now());
}

export type Place = { apiKey: string; baseUrl: string };

type Triggered = { event: string; did: string; delivery: Delivery | null };

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const WAIT_MS = 10_000;
const POLL_MS = 500;

/** In a local world (`npm start`) the event really happens. A hosted service only sends a sample. */
export async function trigger(tandem: Tandem, place: Place, name: string): Promise<Triggered> {
  // `meeting.rescheduled` is a name to subscribe to, and a move arrives as `meeting.updated`.
  const event = name === 'meeting.rescheduled' ? 'meeting.updated' : name;
  const world = await worldOf(place.baseUrl);
  if (world === undefined) {
    const delivery = await tandem.testWebhook({ event_type: event as never });
    return { event, did: `A sample of ${event} was sent, because ${place.baseUrl} has no local world.`, delivery };
  }
  const since = (await latest(tandem, event))?.id;
  const response = await fetch(new URL('/trigger', world), {
    method: 'POST',
    headers: { Authorization: `Bearer ${place.apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ event }),
  });
  const answer = (await response.json()) as { did: string; message?: string };
  if (response.status === 400) throw new UsageError(`${answer.message ?? `"${event}" is not an event`}.`);
  if (!response.ok) throw new Error(answer.message);
  return { event, did: answer.did, delivery: await nextDelivery(tandem, event, since) };
}

/** Lets the CLI act on a simulated calendar provider on this machine. Undefined for any other Tandem. */
async function worldOf(baseUrl: string): Promise<string | undefined> {
  if (!LOOPBACK.includes(new URL(baseUrl).hostname)) return undefined;
  const response = await fetch(new URL('/.local/world', baseUrl)).catch(() => undefined);
  if (!response?.ok) return undefined;
  const { world_url } = (await response.json()) as { world_url?: string };
  return world_url;
}

const latest = async (tandem: Tandem, event: string): Promise<Delivery | undefined> =>
  (await tandem.listDeliveries({ event: event as never, limit: 1 })).deliveries[0];

/** The receiver has answered it. Ignores deliveries that are not newer than `since`. */
async function nextDelivery(tandem: Tandem, event: string, since: string | undefined): Promise<Delivery | null> {
  for (let waited = 0; ; waited += POLL_MS) {
    const delivery = await latest(tandem, event);
    const isNew = delivery !== undefined && delivery.id !== since;
    if (isNew && delivery.status !== 'pending') return delivery;
    if (waited >= WAIT_MS) return isNew ? delivery : null;
    await sleep(POLL_MS);
  }
}

export function showTriggered({ did, delivery }: Triggered): string[] {
  if (delivery === null)
    return [
      did,
      'Tandem sent no webhook, because the webhook is disabled or its `events` do not name this event type.',
    ];
  const { id, url, status, response_code } = delivery;
  return [did, `${id} to ${url}: ${status}${response_code === 0 ? '' : ` ${response_code}`}.`];
}
