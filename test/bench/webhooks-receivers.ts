import type { World } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';

/** Response time of a slow platform; the second constant is the time the product waits for any platform. */
const SLOW_MS = 2_000;
const TIMEOUT_SECONDS = 5;

export type Kind = 'healthy' | 'slow' | 'dead';

export interface Receiver {
  id: string;
  key: string;
  secret: string;
  host: string;
  kind: Kind;
}

/** Time from a request's arrival to its answer, in epoch ms. */
export interface Receipt {
  deliveryId: string;
  from: number;
  to: number;
}

/**
 * Creates platforms with one endpoint each. Slow endpoints answer 200 late. Of the dead ones, every second resets the
 * connection and the others answer 503.
 */
export async function createReceivers(world: World, counts: Record<Kind, number>): Promise<Receiver[]> {
  const kinds = Object.entries(counts).flatMap(([kind, count]) => Array<Kind>(count).fill(kind as Kind));
  const receivers: Receiver[] = [];
  for (const [index, kind] of kinds.entries()) receivers.push(await createReceiver(world, index, kind));
  return receivers;
}

async function createReceiver(world: World, index: number, kind: Kind): Promise<Receiver> {
  const host = `p${index}.receivers.test`;
  const url = `https://${host}/${kind}/${index}/hook`;
  const made = await world.platforms.create({ name: `Receiver ${index}`, plan: 'enterprise', webhook_url: url });
  const set = { timeout_seconds: TIMEOUT_SECONDS };
  const { status, text } = await createClient(world.baseUrl, made.secret_key).send('PUT', '/v1/platform/webhook', set);
  if (status !== 200 || made.webhook_secret === null) throw new Error(`the endpoint was not set: ${text}`);
  world.inbox.addHost(host);
  if (kind === 'slow') world.inbox.answer({ host, delay_ms: SLOW_MS });
  if (kind === 'dead' && index % 2 === 0) world.inbox.answer({ host, status: 503 });
  if (kind === 'dead' && index % 2 === 1)
    world.faults.add({ target: 'inbox', match: `POST /${kind}/${index}/`, mode: 'reset' });
  return { id: made.id, key: made.secret_key, secret: made.webhook_secret, host, kind };
}

/** Records from now on when each request reached an endpoint and when it was answered. */
export function watchInbox({ inbox }: World): Receipt[] {
  const receipts: Receipt[] = [];
  const answer = inbox.fetch;
  inbox.fetch = async (request) => {
    const receipt = { deliveryId: request.headers.get('x-service-delivery') ?? '', from: Date.now(), to: Infinity };
    receipts.push(receipt);
    try {
      return await answer(request);
    } finally {
      receipt.to = Date.now();
    }
  };
  return receipts;
}
