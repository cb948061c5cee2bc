import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { freePort, reservePort } from './free-port.ts';

test('a reserved port is taken until it is released', async () => {
  const reserved = await reservePort();
  await expect(reservePort(reserved.port)).rejects.toThrow(
    `Port ${reserved.port} is taken. Choose another, as in \`npm start -- --port ${reserved.port + 10}\`.`,
  );
  await reserved.release();
  await reserved.release();
  expect(await freePort(reserved.port)).toBe(reserved.port);
});

test('two who ask at once for one port get two', async () => {
  const port = await freePort();
  const [one, other] = await Promise.all([reservePort(port, { orAny: true }), reservePort(port, { orAny: true })]);
  expect([one.port, other.port]).toContain(port);
  expect(one.port).not.toBe(other.port);
  await Promise.all([one.release(), other.release()]);
});

test('a server takes a reserved port over without a moment in which it is free', async () => {
  const reserved = await reservePort();
  const server = createServer((_request, response) => response.end('served'));
  await new Promise<void>((resolve) => server.listen(reserved.server, resolve));
  await expect(reservePort(reserved.port)).rejects.toThrow('is taken');
  expect(await (await fetch(`http://127.0.0.1:${reserved.port}/`)).text()).toBe('served');
  server.close();
});
