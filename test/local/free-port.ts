import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;

/**
 * A loopback port nobody listens on: `wanted` if it is free, or is within `withinMs`, else any when `orAny`, else an error
 * that says so.
 */
export async function freePort(wanted = 0, { orAny = false, withinMs = 0 } = {}): Promise<number> {
  const server = createServer();
  server.listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (withinMs > 0) {
      await sleep(POLL_MS);
      return freePort(wanted, { orAny, withinMs: withinMs - POLL_MS });
    }
    if (orAny) return freePort();
    throw new Error(`port ${wanted} is taken; choose another with --port`, { cause: error });
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
