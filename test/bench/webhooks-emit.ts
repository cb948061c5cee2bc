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
import type { Receiver } from './webhooks-receivers.ts';

const TYPE = 'user.calendar.connected';
const TICK_MS = 100;

/** Event that was stored, and the time at which its delivery was due. */
export interface Emitted {
  deliveryId: string;
  receiver: Receiver;
  due: number;
}

export interface Emitter {
  /** Stores and publishes `count` events, to each receiver in turn, at most at the given rate per second. */
  emit(receivers: Receiver[], count: number, perSecond?: number): Promise<Emitted[]>;
  close(): void;
}

/**
 * Wires the product's own `insertEvent` and `publishDeliveries`, with its database and queue clients, to the stand-ins.
 */
export async function createEmitter(world: World, secrets: Secrets): Promise<Emitter> {
  const door = createServer((incoming, outgoing) => {
    readRequest(incoming)
      .then(async ({ request }) => writeResponse(outgoing, await world.qstash.fetch(request)))
      .catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  process.env.QSTASH_URL = `http://127.0.0.1:${(door.address() as AddressInfo).port}`;
  const ctx = {
    db: openDb(world.neon),
    clock: { now: () => Date.now() },
    ids: randomIds,
    queue: createQueue({
      url: 'https://qstash.upstash.io',
      token: secrets.QSTASH_TOKEN,
      baseUrl: world.baseUrl,
      requestId: 'bench',
    }),
    log: (_level: string, message: string) => console.error(message),
  };

  async function emitSome(receivers: Receiver[]): Promise<Emitted[]> {
    const at = Date.now();
    const made = receivers.map((receiver) => {
      const event = SAMPLES[TYPE](at, receiver.id);
      const due = Date.now();
      return { ...insertEvent(ctx, { platformId: receiver.id, type: TYPE, event }), receiver, due };
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
    async emit(receivers, count, perSecond = Number.POSITIVE_INFINITY) {
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
