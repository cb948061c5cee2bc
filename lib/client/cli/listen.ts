import { deliveryHeaders } from '../../webhooks/delivery-headers.ts';
import { sleep } from '../call.ts';
import type { DeliveryLog, Tandem } from '../tandem.ts';

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
