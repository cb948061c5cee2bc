import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 50;
/**
 * Ports below the range that systems give to outgoing connections. An outgoing connection could otherwise take the port
 * before anything listens on it.
 */
const ANY = [20_000, 32_000] as const;

interface PortOptions {
  orAny?: boolean;
  withinMs?: number;
}

/** Loopback port that is taken, so that no other process gets it meanwhile. */
export interface ReservedPort {
  port: number;
  /** Listening server. Another server can listen on its handle, so that the port is never free. */
  server: Server;
  release(): Promise<void>;
}

/**
 * Takes a loopback port on which nobody listens. This is `wanted` if that port is free now or within `withinMs`.
 * Otherwise it is any free port if `orAny` is set, or else an error.
 */
export async function reservePort(
  wanted = 0,
  { orAny = false, withinMs = 0 }: PortOptions = {},
): Promise<ReservedPort> {
  if (wanted === 0) return anyPort();
  try {
    return await take(wanted);
  } catch (error) {
    if (withinMs > 0) {
      await sleep(POLL_MS);
      return reservePort(wanted, { orAny, withinMs: withinMs - POLL_MS });
    }
    if (orAny) return anyPort();
    throw new Error(`Port ${wanted} is taken. Choose another, as in \`npm start -- --port ${wanted + 10}\`.`, {
      cause: error,
    });
  }
}

/** Returns a loopback port that is free now, chosen as `reservePort` does. */
export async function freePort(wanted?: number, options?: PortOptions): Promise<number> {
  const { port, release } = await reservePort(wanted, options);
  await release();
  return port;
}

const anyPort = (): Promise<ReservedPort> => take(randomInt(...ANY)).catch(anyPort);

async function take(port: number): Promise<ReservedPort> {
  const server = createServer((socket) => socket.destroy());
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    port,
    server,
    async release() {
      if (!server.listening) return;
      server.close();
      await once(server, 'close');
    },
  };
}
