import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { parseCsv } from '../../../lib/client/cli/csv.ts';
import { verifyWebhook } from '../../../lib/webhooks/verify.ts';
import { freePort } from '../../local/free-port.ts';
import { readmeBlock } from '../../support/checks/readme-blocks.ts';
import { freshPlatform, type TestPlatform, webhooksOf } from '../../support/people/factories.ts';
import { bookable } from '../../support/people/meetings.ts';
import { drain } from '../../support/people/webhooks.ts';
import { blockOf, peopleOf } from '../../support/worlds/docs-blocks.ts';
import { eventually } from '../../support/worlds/quiet.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

const end = ({ pid = 0 }: ChildProcess) => process.kill(-pid, 'SIGINT');

healAfterEach();

/** Folder of a customer's project, with the client installed as the first page of the docs says. */
const folder = mkdtempSync(join(tmpdir(), 'tandem-docs-'));
const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) end(child);
  rmSync(folder, { recursive: true });
});

const write = (name: string, content: string) => writeFileSync(join(folder, name), content);

/** Runs a script of the shell in the folder while the queue delivers what is due. Returns what it printed. */
async function shell(script: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const running = promisify(execFile)('sh', ['-ec', script], { cwd: folder, env: { ...process.env, ...env } });
  let isRunning = true;
  const done = running.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    await world.qstash.deliverDue();
    await Promise.race([done.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 100))]);
  }
  return (await done).stdout;
}

/** Starts a script of the shell in the folder, with all that it starts in a process group that `end` ends. */
function start(script: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn('sh', ['-ec', script], { cwd: folder, env: { ...process.env, ...env }, detached: true });
  started.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)));
  return { child, printed: () => said };
}

await shell(await blockOf('/docs', 'npm init'));

/** What a server of the customer on this machine received. */
const received: { headers: Record<string, string>; body: string }[] = [];
const server = createServer(async (request, response) => {
  received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
  response.end();
}).listen(0, '127.0.0.1');
await once(server, 'listening');
afterAll(() => server.close());
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const envOf = ({ secret_key }: TestPlatform) => ({ TANDEM_API_KEY: secret_key, TANDEM_URL: world.baseUrl });

/** Connects people under the names of the docs. Returns a function that puts their addresses into code. */
async function people(platform: TestPlatform) {
  const emails = await peopleOf('', platform);
  const [ana = '', ben = ''] = Object.values(emails);
  const named = (code: string) =>
    Object.entries({ ...emails, 'ada@example.com': ana, 'bob@example.com': ben }).reduce(
      (all, [name, email]) => all.replaceAll(name, email),
      code,
    );
  return { emails, named };
}

test('the client is installed from the address on the first page, and its code there books a meeting', async () => {
  const about = JSON.parse(readFileSync(join(folder, 'node_modules/@tandem-api/client/package.json'), 'utf8'));
  expect(about).toMatchObject({ name: '@tandem-api/client', version: expect.any(String) });
  const platform = await freshPlatform();
  const { named } = await people(platform);
  write('book.js', named(await blockOf('/docs', 'createTandem')));
  const printed = await shell('node book.js', envOf(platform));
  const { body } = await platform.api.send('GET', '/v1/meetings');
  expect(body).toMatchObject({ meetings: [{ status: 'scheduled', title: 'Intro' }] });
  expect(printed).toContain((body as { meetings: { meet_link: string }[] }).meetings[0]?.meet_link);
});

test('the code of the README books the best time, and tells of a refusal', async () => {
  const platform = await freshPlatform();
  const { emails } = await people(platform);
  write('best.ts', readmeBlock('README.md', 'bookBest').replace('http://localhost:8787', world.baseUrl));
  write(
    'run-best.ts',
    `import { bookBest } from './best.ts';
console.log(JSON.stringify(await bookBest(process.env.TANDEM_API_KEY ?? '', JSON.parse(process.env.PAIR ?? ''))));`,
  );
  const [ada, bob] = Object.values(emails);
  const run = async (pair: (string | undefined)[]) =>
    JSON.parse(await shell('node run-best.ts', { ...envOf(platform), PAIR: JSON.stringify(pair) }));
  expect(await run([ada, bob])).toMatchObject({ success: true, meeting_id: expect.stringMatching(/^meet_/) });
});

test("the code of the client's README finds times, and its commands search, trigger and forward", async () => {
  const platform = await freshPlatform();
  const { named } = await people(platform);
  const code = readmeBlock('lib/client/README.md', 'createTandem')
    .replace('sk_live_…', platform.secret_key)
    .replace('https://api.example.com', world.baseUrl);
  write('find.js', `${named(code)}console.log(slots.length);`);
  expect(Number(await shell('node find.js'))).toBeGreaterThan(0);
  const commands = readmeBlock('lib/client/README.md', 'npx @tandem-api/client')
    .replace('sk_live_…', platform.secret_key)
    .replace('https://api.example.com', world.baseUrl)
    .replace('http://localhost:3000/', `${origin}/`)
    .replace('whsec_…', platform.webhook_secret ?? '');
  const running = start(named(commands));
  await eventually(() => expect(running.printed()).toContain('Listening for events'));
  expect(running.printed()).toMatch(/meet_\w+ was booked\./);
  end(running.child);
});

test.each([
  ['the page about webhooks', () => blockOf('/docs/webhooks', 'npx @tandem-api/client webhooks listen')],
  ['the README', () => readmeBlock('README.md', 'npx @tandem-api/client webhooks listen')],
])('the command of %s brings an event to a server on the same machine', async (_, command) => {
  const { platform, body } = await bookable();
  const secret = platform.webhook_secret ?? '';
  const code = (await command())
    .replace('http://localhost:3000/', `${origin}/`)
    .replace('whsec_…', secret)
    .replace('sk_live_…', platform.secret_key);
  const before = received.length;
  const running = start(code, envOf(platform));
  await eventually(() => expect(running.printed()).toContain('Listening for events'));
  await platform.api.schedule(body);
  await drain(platform);
  // The events of the connections come too if the world's clock is ahead of the command's.
  const { headers, body: event } = await eventually(() => {
    const booking = received.slice(before).find(({ body }) => body.includes('"event_type":"meeting.scheduled"'));
    if (booking === undefined) throw new Error('the booking has not arrived');
    return booking;
  });
  end(running.child);
  if (code.includes('--secret'))
    expect(await verifyWebhook({ secret, headers, body: event })).toMatchObject({ ok: true });
});

test('the README triggers an event', async () => {
  const { platform } = await bookable();
  const printed = await shell(readmeBlock('README.md', 'npx @tandem-api/client trigger'), envOf(platform));
  expect(printed).toMatch(/^meet_\w+ was booked\.\nwh_del_\w+ to https:\S+: success 200\.\n$/);
});

test('the library of Standard Webhooks verifies a delivery with the code of the page', async () => {
  symlinkSync(join(process.cwd(), 'node_modules/standardwebhooks'), join(folder, 'node_modules/standardwebhooks'));
  const { platform, body } = await bookable();
  await platform.api.schedule(body);
  const [delivery] = await webhooksOf(platform);
  const code = await blockOf('/docs/webhooks', 'standardwebhooks');
  const { headers, body_text } = delivery ?? {};
  write(
    'verify.js',
    `Date.now = () => ${world.clock.now()};
const headers = ${JSON.stringify(headers)};
const rawBody = ${JSON.stringify(body_text)};
${code}
console.log(JSON.stringify(event));`,
  );
  const printed = await shell('node verify.js', { TANDEM_WEBHOOK_SECRET: platform.webhook_secret ?? '' });
  expect(JSON.parse(printed)).toEqual(JSON.parse(body_text ?? ''));
});

test('the receiver of the page about webhooks accepts an event once, and refuses a changed one', async () => {
  const { platform, body } = await bookable();
  await platform.api.schedule(body);
  const arrived = (await webhooksOf(platform)).find(({ body: event }) => event.event_type === 'meeting.scheduled');
  const { headers = {}, body_text = '' } = arrived ?? {};
  const signed = Object.fromEntries(Object.entries(headers).filter(([name]) => /^(?:x-service|webhook)-/i.test(name)));
  const port = await freePort();
  const code = (await blockOf('/docs/webhooks', 'createServer')).replace('3000', String(port));
  write('receiver.mjs', `Date.now = () => ${world.clock.now()};\n${code}`);
  const command = await blockOf('/docs/webhooks', 'node receiver.mjs');
  const running = start(command.replace(/whsec_\S+/, platform.webhook_secret ?? ''));
  const post = async (text: string) =>
    (await fetch(`http://127.0.0.1:${port}/hooks`, { method: 'POST', headers: signed, body: text })).status;
  expect(await eventually(() => post(body_text))).toBe(204);
  expect([await post(body_text), await post(`${body_text} `)]).toEqual([204, 401]);
  const { data } = JSON.parse(body_text) as { data: { meeting_id: string } };
  await eventually(() => expect(running.printed()).toContain(`meeting_id: '${data.meeting_id}'`));
  end(running.child);
});

test('the code of the page about jobs waits for the booking', async () => {
  const platform = await freshPlatform();
  const { named } = await people(platform);
  write('job.js', named(await blockOf('/docs/automatic', 'waitForJob')));
  expect(await shell('node job.js', envOf(platform))).toMatch(/^completed \{.*\bsuccess: true\b/s);
});

test('a round is booked by the code of its guide, and from the spreadsheet that the guide shows', async () => {
  const platform = await freshPlatform();
  const { named } = await people(platform);
  write('round.js', named(await blockOf('/docs/rounds', 'scheduleBatch')));
  expect(await shell('node round.js', envOf(platform))).toMatch(/booked: 1/);

  const planned = await shell(named(await blockOf('/docs/rounds', 'npx @tandem-api/client batch')), envOf(platform));
  const [command = ''] = /tandem batch commit batch_\w+/.exec(planned) ?? [];
  expect(planned).toContain('is planned: of 2 meetings, 2 placed');
  expect(parseCsv(readFileSync(join(folder, 'results.csv'), 'utf8'))).toHaveLength(3);
  expect(await shell(`npx ${command}`, envOf(platform))).toContain('2 booked');
});
