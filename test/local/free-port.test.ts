import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { freePort, reservePort } from './free-port.ts';
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
