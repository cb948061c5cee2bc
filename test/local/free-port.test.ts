import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { freePort, onFreePort, type ReservedPort, reservePort } from './free-port.ts';
import { patiently } from './sleepers.ts';

test('a reserved port is taken until it is released', async () => {
  const reserved = await reservePort();
  await expect(reservePort(reserved.port)).rejects.toThrow(
    `Port ${reserved.port} is taken. Choose another port, as in \`npm start -- --port ${reserved.port + 10}\`.`,
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

test('a reserved port passes connections on, and resets them while it has nowhere to pass them to', async () => {
  const server = createServer((request, response) => request.pipe(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reserved = await reservePort();
  const echoed = async (body: string) =>
    (await fetch(`http://127.0.0.1:${reserved.port}/`, { method: 'POST', body })).text();
  const isBroken = () => expect(echoed('')).rejects.toThrow('fetch failed');
  await isBroken();
  reserved.passTo((server.address() as AddressInfo).port);
  const long = 'echo '.repeat(1_000_000);
  expect(await Promise.all([echoed(long), echoed('short')])).toEqual([long, 'short']);
  server.close();
  server.closeAllConnections();
  await isBroken();
  await reserved.release();
  expect(await freePort(reserved.port)).toBe(reserved.port);
});

test('a connection that breaks on the one side breaks on the other', async () => {
  const server = createServer((request) => request.socket.resetAndDestroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const reserved = await reservePort();
  reserved.passTo((server.address() as AddressInfo).port);
  await expect(fetch(`http://127.0.0.1:${reserved.port}/`)).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
  await reserved.release();
  server.close();
});

test('a program whose port was taken gets another, and fails as it fails', async () => {
  const strangers: ReservedPort[] = [];
  const tried: number[] = [];
  const given = await onFreePort(async (port) => {
    if (tried.push(port) > 2) return port;
    strangers.push(await reservePort(port));
    throw new Error('the port is taken');
  });
  expect(tried).toHaveLength(3);
  expect(given).toBe(tried.at(-1));
  for (const { release } of strangers) await release();
  await expect(onFreePort(() => Promise.reject(new Error('it is broken')))).rejects.toThrow('it is broken');
});

test.each([0, 1, 2])('an act that fails %i times succeeds in the end', async (failures) => {
  let acts = 0;
  const act = async () => {
    if (acts++ < failures) throw new Error('busy');
    return 'done';
  };
  await expect(patiently(act)).resolves.toBe('done');
});

test('an act that always fails is tried three times, and its last error is thrown', async () => {
  let acts = 0;
  const act = async () => {
    throw new Error(`failed ${++acts}`);
  };
  await expect(patiently(act)).rejects.toThrow('failed 3');
});
