import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { createQueue } from '../../lib/adapters/qstash.ts';
import { randomIds } from '../../lib/kit/ids.ts';
import { insertEvent, publishDeliveries } from '../../lib/webhooks/outbox.ts';
import { SAMPLES } from '../../lib/webhooks/samples.ts';
import { readRequest, writeResponse } from '../local/node-http.ts';
import { openDb } from '../local/open-db.ts';
import type { Secrets } from '../local/platforms.ts';
import type { World } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';

const TYPE = 'user.calendar.connected';
const TICK_MS = 100;

/** Event that was stored, and the time at which its delivery was due. */
export interface Emitted {
  deliveryId: string;
  receiver: Receiver;
  due: number;
}

export type Emitter = Awaited<ReturnType<typeof createEmitter>>;

/**
 * Wires the product's own `insertEvent` and `publishDeliveries`, with its database and queue clients, to the stand-ins.
 */
export async function createEmitter(world: World, secrets: Secrets) {
  const door = createServer((incoming, outgoing) => {
    readRequest(incoming)
      .then(async ({ request }) => writeResponse(outgoing, await world.qstash.fetch(request)))
      .catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  const ctx = {
    db: openDb(world.neon),
    clock: { now: () => Date.now() },
    ids: randomIds,
    queue: createQueue({
      url: `http://127.0.0.1:${(door.address() as AddressInfo).port}`,
      token: secrets.QSTASH_TOKEN,
      baseUrl: world.baseUrl,
      requestId: 'bench',
    }),
    log: (_level: string, message: string) => console.error(message),
  };

  async function emitSome(receivers: Receiver[]): Promise<Emitted[]> {
    const at = Date.now();
    const made = receivers.map((receiver) => {
      const event = { ...SAMPLES[TYPE](at, receiver.id), platformId: receiver.id };
      const due = Date.now();
      return { ...insertEvent(ctx, TYPE, event), receiver, due };
    });
    const [first, ...others] = made.map(({ statement }) => statement);
    if (first !== undefined) await ctx.db.batch([first, ...others]);
    await publishDeliveries(
      ctx,
      made.map(({ deliveryId }) => deliveryId),
    );
    return made;
  }

  return {
    /** Stores and publishes `count` events, to each receiver in turn, at most at the given rate per second. */
    async emit(receivers: Receiver[], count: number, perSecond = Number.POSITIVE_INFINITY) {
      const order = Array.from({ length: count }, (_, i) => receivers[i % receivers.length] as Receiver);
      const emitted: Emitted[] = [];
      const from = Date.now();
      for (let done = 0; done < count; ) {
        const wanted = Math.min(count, Math.ceil(((Date.now() - from + TICK_MS) / 1_000) * perSecond), done + 100);
        if (wanted > done) emitted.push(...(await emitSome(order.slice(done, wanted))));
        done = Math.max(done, wanted);
        if (perSecond !== Number.POSITIVE_INFINITY) await pause(TICK_MS);
      }
      return emitted;
    },
    close: () => void door.close(),
  };
}

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
