import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../lib/webhooks/verify.ts';
import { bookable, hoursLater, liveEvents } from '../support/bookings.ts';
import type { TestPlatform } from '../support/factories.ts';
import { answerWith, drain, hookOf } from '../support/webhooks.ts';
import { healAfterEach, world } from '../support/world.ts';

healAfterEach();

const started: ChildProcess[] = [];
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['lib/client/cli/main.ts', ...args], {
    env: { ...env, NODE_NO_WARNINGS: '1' },
  });
  started.push(child);
  return child;
}

const envOf = ({ secret_key }: TestPlatform) => ({ TANDEM_API_KEY: secret_key, TANDEM_URL: world.baseUrl });

/** Runs a command to its end. */
async function run(args: string[], env?: Record<string, string>) {
  const child = start(args, env);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}

test('without a command, or with --help, it says what there is', async () => {
  for (const args of [[], ['--help'], ['schedule', '-h']]) {
    const { code, out, err } = await run(args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('tandem availability <email> <email>');
  }
});

test.each([
  [['book'], '"book" is no command. "tandem --help" lists the commands.'],
  [['availability', 'a@x.test'], '<email> is missing. "tandem --help" lists the commands.'],
  [['cancel', 'meet_1', 'now'], '"now" is one word too many. "tandem --help" lists the commands.'],
  [
    ['schedule', 'a@x.test', 'b@x.test', '2030-01-07T10:00Z'],
    '--title is missing. "tandem --help" lists the commands.',
  ],
  [
    ['availability', 'a@x.test', 'b@x.test', '--duration', 'long'],
    '--duration takes whole minutes. "tandem --help" lists the commands.',
  ],
  [
    ['auto', 'a@x.test', 'b@x.test', '--metadata', 'order'],
    '--metadata takes key=value. "tandem --help" lists the commands.',
  ],
  [['webhooks', 'watch'], 'webhooks takes listen or replay. "tandem --help" lists the commands.'],
  [['webhooks'], 'webhooks takes listen or replay. "tandem --help" lists the commands.'],
  [['cancel', 'meet_1', '--durration', '3'], '--durration is no option. "tandem --help" lists the commands.'],
  [['cancel', 'meet_1', '--wait=3'], '--wait takes no value. "tandem --help" lists the commands.'],
  [['schedule', '--title'], '--title takes a value. "tandem --help" lists the commands.'],
  [
    ['auto', 'a@x.test', 'b@x.test', '--require-free'],
    '--require-free is no option of auto. "tandem --help" lists the commands.',
  ],
  [
    ['webhooks', 'replay', '--secret', 'x'],
    '--secret is no option of webhooks replay. "tandem --help" lists the commands.',
  ],
  [
    ['webhooks', 'listen', '--forward-to', '3210'],
    '--forward-to takes a URL, as http://localhost:3000/webhooks. "tandem --help" lists the commands.',
  ],
  [
    ['webhooks', 'listen', '--since', '2026-12-01'],
    '--since takes a time, as 2026-12-01T14:00+01:00. "tandem --help" lists the commands.',
  ],
  [
    ['webhooks', 'listen', '--secret', 'nosuch'],
    '--secret takes the webhook secret, whsec_…. "tandem --help" lists the commands.',
  ],
])('%j is answered with what is wrong', async (args, said) => {
  const env = { TANDEM_API_KEY: 'sk_live_x', TANDEM_URL: 'http://127.0.0.1:1' };
  expect(await run(args, env)).toEqual({ code: 2, out: '', err: `${said}\n` });
});

test('a key that is not there, and an address that is none, are named', async () => {
  expect((await run(['cancel', 'meet_1'])).err).toBe(
    'TANDEM_API_KEY is not set. "tandem --help" lists the commands.\n',
  );
  const keyed = await run(['cancel', 'meet_1'], { TANDEM_API_KEY: 'sk_live_x' });
  expect(keyed.err).toBe('TANDEM_URL is not set. "tandem --help" lists the commands.\n');
  const schemeless = await run(['cancel', 'meet_1'], { TANDEM_API_KEY: 'sk_live_x', TANDEM_URL: 'localhost:8787' });
  expect(schemeless.err).toMatch(/^TANDEM_URL takes a URL, as https:\/\/api\.example\.com\. /);
});

test('times are found, one is explained, booked, listed, moved and cancelled', async () => {
  const { platform, ada, bob } = await bookable();
  const env = envOf(platform);
  const both = [ada.email, bob.email];
  const found = await run(['availability', ...both], env);
  expect(found.out).toMatch(/^1\. \w{3} \d+ \w{3} \d{4}, \d\d:\d\d \(UTC\), score [\d.]+\n {3}\d\d|^1\. /);
  const { slots } = JSON.parse((await run(['availability', ...both, '--json'], env)).out);
  const [{ start_time: time }] = slots;
  expect(found.out).toContain(time);
  expect((await run(['explain', ...both, time], env)).out).toMatch(/^Offered: number 1 of \d+ times\.\n/);
  const booked = await run(
    ['schedule', ...both, time, '--title', 'Intro', '--require-free', '--metadata', 'a=b=c', '--metadata', 'd='],
    env,
  );
  const [, id = ''] = /^(meet_\w+) is booked for \S+, https:\/\/meet\.google\.com\/\S+\.\n$/.exec(booked.out) ?? [];
  expect((await run(['meetings', ada.email], env)).out).toContain(`${id}  scheduled    Intro (${both.join(', ')})`);
  const { meetings } = JSON.parse((await run(['meetings', ada.email, '--json'], env)).out);
  expect(meetings).toMatchObject([{ metadata: { a: 'b=c' } }]);
  const moved = await run(['reschedule', id, '--by', ada.email, '--reason', 'too early'], env);
  const [, next = ''] = /^(meet_\w+) takes its place at \S+\.\n/.exec(moved.out) ?? [];
  expect(await run(['cancel', next], env)).toEqual({ code: 0, out: `${next} is cancelled.\n`, err: '' });
  expect(liveEvents(ada.email)).toEqual([]);
});

test('a job is waited for and told in words', async () => {
  const { platform, ada, bob } = await bookable();
  const waiting = run(['auto', ada.email, bob.email, '--context', 'interview', '--wait'], envOf(platform));
  const asked = () => world.qstash.pending().some(({ url }) => url.endsWith('/internal/run-job'));
  await expect.poll(asked).toBe(true);
  await world.qstash.deliverDue();
  expect((await waiting).out).toMatch(/^meet_\w+ is booked for \S+, \w+ match\.\n.+\.\n$/);
});

test('a refusal is told with its code and where it is explained', async () => {
  const { platform } = await bookable();
  const { code, out, err } = await run(['cancel', 'meet_unknown'], envOf(platform));
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^.+\.\nmeeting_not_found, .+\/docs\/errors#meeting_not_found\n$/);
  const away = await run(['cancel', 'meet_1'], { TANDEM_API_KEY: 'sk_live_x', TANDEM_URL: 'http://127.0.0.1:1' });
  expect(away).toMatchObject({ code: 1, err: 'http://127.0.0.1:1 could not be reached, or did not answer in time.\n' });
  const asJson = await run(['cancel', 'meet_unknown', '--json'], envOf(platform));
  expect(asJson).toMatchObject({ code: 1, err: '' });
  expect(JSON.parse(asJson.out)).toMatchObject({ error: { code: 'meeting_not_found', docs: expect.any(String) } });
});

test('a time that has gone is answered with others, and a job that fails ends with 1', async () => {
  const { platform, ada, bob } = await bookable();
  const env = envOf(platform);
  const both = [ada.email, bob.email];
  const { slots } = JSON.parse((await run(['availability', ...both, '--json'], env)).out);
  const booking = ['schedule', ...both, slots[0].start_time, '--title', 'Intro', '--require-free'];
  expect((await run(booking, env)).code).toBe(0);
  const { code, err } = await run(booking, env);
  expect(code).toBe(1);
  expect(err).toMatch(/\n1\. .+, score [\d.]+\n[\s\S]+\nslot_unavailable, /);

  const now = new Date(world.clock.now());
  world.google.addBusy({ email: bob.email, start: now.toISOString(), end: hoursLater(now, 30 * 24) });
  const waiting = run(['auto', ...both, '--wait'], env);
  const asked = () => world.qstash.pending().some(({ url }) => url.endsWith('/internal/run-job'));
  await expect.poll(asked).toBe(true);
  await world.qstash.deliverDue();
  expect(await waiting).toMatchObject({ code: 1, out: expect.stringMatching(/^sched_\w+ failed: /) });
});

test('who listens to an endpoint that is switched off is told so, and scripts get a line of JSON for each event', async () => {
  const { platform, body } = await bookable();
  const env = envOf(platform);
  const since = new Date(world.clock.now()).toISOString();
  await platform.api.schedule(body);
  await drain(platform);
  await hookOf(platform).put({ enabled: false });
  const following = start(['webhooks', 'listen', '--json', '--since', since], env);
  const [out, err] = [text(following.stdout), text(following.stderr)];
  await once(following.stdout, 'readable');
  following.kill('SIGINT');
  expect(await err).toMatch(/^The endpoint https:\S+ is switched off: .+\.\n$/);
  expect(
    (await out)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ event: 'meeting.scheduled', status: 'success', forwarded: null }]);
});

test('webhooks are followed, sent on to a local server, signed anew, and sent again', async () => {
  const { platform, body } = await bookable();
  answerWith(platform, { status: 500 });
  const received: { headers: Record<string, unknown>; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    received.push({ headers: request.headers, body: await text(request) });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const secret = platform.webhook_secret ?? '';
  const url = `http://127.0.0.1:${port}/hook`;
  const since = new Date(world.clock.now()).toISOString();
  const following = start(
    ['webhooks', 'listen', '--forward-to', url, '--secret', secret, '--since', since],
    envOf(platform),
  );
  const said = text(following.stdout);
  const ended = new Promise<number | null>((resolve) => following.once('exit', resolve));
  const { meeting_id } = (await platform.api.schedule(body)).body as { meeting_id: string };
  await expect.poll(() => received.length).toBe(1);
  following.kill('SIGINT');
  expect(await ended).toBe(0);
  receiver.close();
  expect(await said).toMatch(
    new RegExp(`^Following events, sent on to ${url}\\.\\n\\S+ {2}meeting\\.scheduled {2}(wh_del_\\w+) {2}200\\n$`),
  );
  const [arrived] = received;
  const verified = await verifyWebhook({
    secret,
    headers: arrived?.headers as Record<string, string>,
    body: arrived?.body ?? '',
  });
  expect(verified).toMatchObject({ ok: true, event: { event_type: 'meeting.scheduled', data: { meeting_id } } });

  const [, id = ''] = /(wh_del_\w+)/.exec(await said) ?? [];
  await drain(platform);
  answerWith(platform, { status: 200 });
  const again = await run(['webhooks', 'replay', id], envOf(platform));
  expect(again.out).toMatch(/^wh_del_\w+ sends wh_\w+ again\.\n$/);
  const all = await run(['webhooks', 'replay', '--since', since], envOf(platform));
  expect(all).toMatchObject({ code: 0, out: expect.stringMatching(/event/) });
});
