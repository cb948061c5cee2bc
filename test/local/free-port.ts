import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** A loopback port nobody listens on: `wanted` if it is free, else any when `orAny`, else an error that says so. */
export async function freePort(wanted = 0, { orAny = false } = {}): Promise<number> {
  const server = createServer();
  server.listen(wanted, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if (orAny) return freePort();
    throw new Error(`port ${wanted} is taken; choose another with --port`, { cause: error });
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
