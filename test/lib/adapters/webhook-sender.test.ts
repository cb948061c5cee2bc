import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { createWebhookSender } from '../../../lib/adapters/foreign-hosts.ts';

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

test('of an answer without end the first 1,024 bytes are kept, and the sender hangs up', async () => {
  const { sent, hungUp } = await postTo((response) => {
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(8_192)));
    };
    response.on('drain', more);
    more();
  }, 10_000);
  expect(sent).toEqual({ code: 200, durationMs: expect.any(Number), answer: 'x'.repeat(1_024) });
  await expect.poll(hungUp).toBe(true);
});

test.each([
  [
    'an answer that comes in pieces is put together',
    ['no such ', 'caf', Buffer.from([0xc3]), Buffer.from([0xa9])],
    'no such café',
  ],
  ['a character that the limit cuts is left out', ['é'.repeat(511), 'a', '😀'], `${'é'.repeat(511)}a`],
  ['what is not text is shown as such', [Buffer.from([0x41, 0xff, 0x42])], 'A\uFFFDB'],
  ['an answer without a body is empty', [], ''],
])('%s', async (_name, pieces, answer) => {
  const { sent } = await postTo((response) => {
    for (const piece of pieces) response.write(piece);
    response.end();
  }, 10_000);
  expect(sent).toEqual({ code: 200, durationMs: expect.any(Number), answer });
});

test('a status counts though its body never comes', async () => {
  const silent = (status: number) => (response: ServerResponse) => void response.writeHead(status).flushHeaders();
  const answers = await Promise.all([200, 503].map((status) => postTo(silent(status), 3_000)));
  expect(answers.map(({ sent }) => sent)).toEqual([
    { code: 200, durationMs: expect.any(Number), answer: '' },
    { code: 503, durationMs: expect.any(Number), answer: '' },
  ]);
});

test('a body that breaks off is kept as far as it came', async () => {
  const { sent } = await postTo((response) => {
    response.write('half', () => response.destroy());
  }, 10_000);
  expect(sent).toEqual({ code: 200, durationMs: expect.any(Number), answer: 'half' });
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
