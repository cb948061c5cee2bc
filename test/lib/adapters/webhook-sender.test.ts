import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createWebhookSender } from '../../../lib/adapters/webhook-sender.ts';

const sender = createWebhookSender({ now: () => Date.now() });
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
});

/** Posts to an endpoint that answers like this. Returns true if the sender closed the connection to it. */
async function postTo(answer: (response: ServerResponse) => void, timeoutMs: number) {
  let hungUp = false;
  const server = createServer((request, response) => {
    response.on('close', () => {
      hungUp = !response.writableFinished;
    });
    request.resume().on('end', () => answer(response));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  servers.push(server);
  const { port } = server.address() as AddressInfo;
  const sent = await sender.post({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}', timeoutMs });
  return { sent, hungUp: () => hungUp };
}

test('an answer without end is read a little and hung up on', async () => {
  const { sent, hungUp } = await postTo((response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(8_192)));
    };
    response.on('drain', more);
    more();
  }, 10_000);
  expect(sent).toEqual({ code: 200, durationMs: expect.any(Number) });
  await expect.poll(hungUp).toBe(true);
});

test('a status counts though its body never comes', async () => {
  const silent = (status: number) => (response: ServerResponse) => void response.writeHead(status).flushHeaders();
  const answers = await Promise.all([200, 503].map((status) => postTo(silent(status), 3_000)));
  expect(answers.map(({ sent }) => sent)).toEqual([
    { code: 200, durationMs: expect.any(Number) },
    { code: 503, durationMs: expect.any(Number) },
  ]);
});

test('a body that breaks off changes nothing', async () => {
  const { sent } = await postTo((response) => {
    response.write('half', () => response.destroy());
  }, 10_000);
  expect(sent).toEqual({ code: 200, durationMs: expect.any(Number) });
});

test.each([
  ['no answer in time', () => {}, 200, 'timeout'],
  ['a closed connection', (response: ServerResponse) => void response.destroy(), 10_000, 'lost'],
] as const)('%s is code 0', async (_name, answer, timeoutMs, failure) => {
  expect((await postTo(answer, timeoutMs)).sent).toEqual({ code: 0, durationMs: expect.any(Number), failure });
});

test('a closed port and a server without TLS are reported differently', async () => {
  const server = createServer((_, response) => response.end());
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const postedTo = (scheme: string) =>
    sender.post({ url: `${scheme}://127.0.0.1:${port}/`, headers: {}, body: '{}', timeoutMs: 10_000 });
  expect(await postedTo('https')).toMatchObject({ code: 0, failure: 'tls' });
  await new Promise((closed) => server.close(closed));
  expect(await postedTo('http')).toMatchObject({ code: 0, failure: 'refused' });
});
