import { deliveryHeaders } from '../../webhooks/delivery-headers.ts';
import { sleep } from '../call.ts';
import type { DeliveryLog, Tandem } from '../tandem.ts';

type Delivery = DeliveryLog['deliveries'][number];

/** A delivery as the log had it, and what became of its event here: a status, no answer, or null where it was not sent on. */
export interface Told extends Delivery {
  forwarded: number | 'no answer' | null;
}

interface ListenOptions {
  /** ISO 8601; what was logged before is not told. */
  since: string;
  forwardTo: string | undefined;
  /** Signs what is forwarded. */
  secret: string | undefined;
  tell: (told: Told) => void;
  signal: AbortSignal;
}

const PAUSE_MS = 2_000;
const FORWARD_TIMEOUT_MS = 10_000;

/** Tells each delivery once as the log gets it, in order, and sends its event on; until the signal ends it. */
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

/** Those not told yet, oldest first. */
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
): Promise<Told['forwarded']> {
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

/** The headers of a webhook signed now, as its first signing is too old by then; unsigned without a secret. */
async function headersOf({ id, event }: Delivery, body: string, secret: string | undefined) {
  if (secret === undefined) return { 'Content-Type': 'application/json', 'X-Service-Event': event };
  const { id: eventId } = JSON.parse(body) as { id: string };
  return deliveryHeaders({ id, eventId, eventType: event, body }, { current: secret, previous: [] }, Date.now());
}
