import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
/** Below the ports that systems give to outgoing connections, of which one might take it before it is listened on. */
const ANY = [20_000, 32_000] as const;

/**
 * A loopback port nobody listens on: `wanted` if it is free, or is within `withinMs`, else any when `orAny`, else an error
 * that says so.
 */
export async function freePort(wanted = 0, { orAny = false, withinMs = 0 } = {}): Promise<number> {
  if (wanted === 0) return anyPort();
  try {
    await tryPort(wanted);
    return wanted;
  } catch (error) {
    if (withinMs > 0) {
      await sleep(POLL_MS);
      return freePort(wanted, { orAny, withinMs: withinMs - POLL_MS });
    }
    if (orAny) return anyPort();
    throw new Error(`port ${wanted} is taken; choose another with --port`, { cause: error });
  }
}

async function anyPort(): Promise<number> {
  const port = randomInt(...ANY);
  return tryPort(port).then(
    () => port,
    () => anyPort(),
  );
}

async function tryPort(port: number): Promise<void> {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}
