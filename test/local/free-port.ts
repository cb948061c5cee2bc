import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

const HOST = '127.0.0.1';
/**
 * Ports below the range that systems give to outgoing connections. An outgoing connection could otherwise take the port
 * before anything listens on it.
 */
const ANY = [20_000, 32_000] as const;

/** Loopback port that is taken, so that no other process gets it meanwhile. Connections are reset until they are passed on. */
export interface ReservedPort {
  port: number;
  /** Listening server. Another server can listen on its handle, so that the port is never free. */
  server: Server;
  /** Passes each further connection on to this loopback port. */
  passTo(port: number): void;
  release(): Promise<void>;
}

/**
 * Takes a loopback port on which nobody listens. This is `wanted` if that port is free. Otherwise it is any free port if
 * `orAny` is set, or else an error.
 */
export async function reservePort(wanted = 0, { orAny = false } = {}): Promise<ReservedPort> {
  if (wanted === 0) return anyPort();
  try {
    return await take(wanted);
  } catch (error) {
    if (orAny) return anyPort();
    throw new Error(`Port ${wanted} is taken. Choose another port, as in \`npm start -- --port ${wanted + 10}\`.`, {
      cause: error,
    });
  }
}

/** Returns a loopback port that is free now, chosen as `reservePort` does. */
export async function freePort(wanted?: number): Promise<number> {
  const { port, release } = await reservePort(wanted);
  await release();
  return port;
}

/**
 * Starts a program that can only bind a port itself. Gives it a free port, and another one if somebody else took that
 * port before the program did.
 */
export async function onFreePort<T>(start: (port: number) => Promise<T>): Promise<T> {
  const port = await freePort();
  try {
    return await start(port);
  } catch (error) {
    const isTaken = await freePort(port).then(
      () => false,
      () => true,
    );
    if (isTaken) return onFreePort(start);
    throw error;
  }
}

const anyPort = (): Promise<ReservedPort> => take(randomInt(...ANY)).catch(anyPort);

async function take(port: number): Promise<ReservedPort> {
  let target: number | undefined;
  const open = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (target === undefined) socket.resetAndDestroy();
    else pass(socket, target);
  });
  server.listen(port, HOST);
  await once(server, 'listening');
  return {
    port,
    server,
    passTo(to) {
      target = to;
    },
    async release() {
      if (!server.listening) return;
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** Joins a connection with one to another port. If one of the two ends or breaks, so does the other. */
function pass(socket: Socket, port: number): void {
  const onward = connect({ host: HOST, port, allowHalfOpen: true, noDelay: true });
  const ways: [Socket, Socket][] = [
    [socket, onward],
    [onward, socket],
  ];
  for (const [from, to] of ways)
    from
      .on('error', () => to.resetAndDestroy())
      .on('close', () => to.destroySoon())
      .pipe(to);
}
