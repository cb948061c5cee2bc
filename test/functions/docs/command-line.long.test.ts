import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { parseCsv } from '../../../lib/client/cli/csv.ts';
import { verifyWebhook } from '../../../lib/webhooks/verify.ts';
import { mentoring } from '../../support/people/batches.ts';
import { freshPerson, type TestPlatform } from '../../support/people/factories.ts';
import { bookable, hoursLater, liveEvents } from '../../support/people/meetings.ts';
import { proposing } from '../../support/people/proposing.ts';
import { answerWith, drain, hookOf } from '../../support/people/webhooks.ts';
import { endCommandsAfterAll, envOf, run, start } from '../../support/worlds/command-line.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();
endCommandsAfterAll();

test('without a command, or with --help, the command line prints its usage', async () => {
  for (const args of [[], ['--help'], ['schedule', '-h']]) {
    const { code, out, err } = await run(args);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('tandem availability <email> <email>');
  }
});

test.each([
  [['book'], '"book" is not a command.'],
  [['\x1b[2Jbook\n\x9b'], '"\\u001b[2Jbook\\u000a\\u009b" is not a command.'],
  [['availability', 'a@x.test'], 'The argument <email> is missing.'],
  [['meetings', '..'], 'The argument <email> cannot be "..".'],
  [['cancel', 'meet_1', 'now'], 'The command takes no argument "now".'],
  [['schedule', 'a@x.test', 'b@x.test', '2030-01-07T10:00Z'], 'The option --title is missing.'],
  [['availability', 'a@x.test', 'b@x.test', '--duration', 'long'], '--duration must be a whole number of minutes.'],
  [['auto', 'a@x.test', 'b@x.test', '--metadata', 'order'], '--metadata must have the form key=value.'],
  [['webhooks', 'watch'], 'The command "webhooks" must be followed by "listen" or "replay".'],
  [['webhooks'], 'The command "webhooks" must be followed by "listen" or "replay".'],
  [['cancel', 'meet_1', '--durration', '3'], 'The command has no option --durration.'],
  [['cancel', 'meet_1', '--wait=3'], 'The option --wait takes no value.'],
  [['schedule', '--title'], 'The option --title needs a value.'],
  [['auto', 'a@x.test', 'b@x.test', '--require-free'], 'auto has no option --require-free.'],
  [
    ['webhooks', 'listen', '--forward-to', '3210'],
    '--forward-to must be a URL, such as http://localhost:3000/webhooks.',
  ],
  [
    ['webhooks', 'listen', '--since', '2026-12-01'],
    '--since must be a time with an offset, such as 2026-12-01T14:00+01:00.',
  ],
  [
    ['webhooks', 'listen', '--secret', 'nosuch'],
    '--secret must be a webhook secret, whsec_…, as the API returned it when you set the webhook.',
  ],
  [['batch'], 'The argument <file.csv> is missing.'],
  [['batch', '/nowhere/round.csv'], '/nowhere/round.csv cannot be read (ENOENT).'],
  [['batch', 'cancel', 'batch_1', '--dry-run'], 'batch cancel has no option --dry-run.'],
])('%j is answered with what is wrong', async (args, said) => {
  const env = { TANDEM_API_KEY: 'sk_live_x', TANDEM_URL: 'http://127.0.0.1:1' };
  expect(await run(args, env)).toEqual({ code: 2, out: '', err: `${said} Run "tandem --help" for usage.\n` });
});

test('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync('lib/client/package.json', 'utf8'));
  expect(await run(['--version'])).toEqual({ code: 0, out: `tandem ${version}\n`, err: '' });
});

test('a reader that has read enough ends the command quietly', async () => {
  const child = start(['--help']);
  child.stdout.destroy();
  const ended = new Promise((resolve) => child.once('exit', resolve));
  expect([await text(child.stderr), await ended]).toEqual(['', 0]);
});

test('status tells about the platform, and about one person', async () => {
  const { platform, ada } = await bookable({ plan: 'pro' });
  const whole = await run(['status'], envOf(platform));
  expect(whole).toMatchObject({ code: 0, err: '' });
  expect(whole.out).toContain(`Test platform, ${platform.id}, on plan pro\n`);
  expect(whole.out).toContain('0 meetings this month, of 1000; 2 people connected\n');
  expect(whole.out).toContain(`Webhook ${platform.webhookUrl}, enabled for `);
  expect((await run(['status', ada.email], envOf(platform))).out).toMatch(
    / is connected since \S+, in Europe\/London\.\n$/,
  );
  const nobody = await run(['status', 'nobody@people.test'], envOf(platform));
  expect(nobody).toMatchObject({ code: 1, out: expect.stringContaining('tandem connect nobody@people.test') });
});

test('connect prints the link, and waits for the person', async () => {
  const { platform } = await bookable();
  const { email } = freshPerson();
  const child = start(['connect', email, '--wait'], envOf(platform));
  child.stdout?.once('data', () => world.connectCalendar(platform, email));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const out = await text(child.stdout);
  expect(out).toContain(`Open this link as ${email}:\n  ${world.baseUrl}/v1/auth/calendar/authorize?`);
  expect(out).toMatch(/ is connected\.\n$/);
  expect(await ended).toBe(0);
});

test('a key that is not there, and an address that is none, are named', async () => {
  expect((await run(['cancel', 'meet_1'])).err).toBe(
    'Set TANDEM_API_KEY to your platform\'s secret key. Run "tandem --help" for usage.\n',
  );
  const keyed = await run(['cancel', 'meet_1'], { TANDEM_API_KEY: 'sk_live_x' });
  expect(keyed.err).toBe('Set TANDEM_URL to the address of the API. Run "tandem --help" for usage.\n');
  const schemeless = await run(['cancel', 'meet_1'], { TANDEM_API_KEY: 'sk_live_x', TANDEM_URL: 'localhost:8787' });
  expect(schemeless.err).toMatch(/^TANDEM_URL must be a URL, such as https:\/\/api\.example\.com\. /);
});

test('the commands find, explain, book, list, move and cancel a meeting', async () => {
  const { platform, ada, bob } = await bookable();
  const env = envOf(platform);
  const both = [ada.email, bob.email];
  const found = await run(['availability', ...both], env);
  expect(found.out).toMatch(/^1\. \w{3} \d+ \w{3} \d{4}, \d\d:\d\d \(UTC\), score [\d.]+\n {3}\d\d|^1\. /);
  const { slots } = JSON.parse((await run(['availability', ...both, '--json'], env)).out);
  const [{ start_time: time }] = slots;
  expect(found.out).toContain(time);
  expect((await run(['explain', ...both, time], env)).out).toMatch(
    /^A search offers this time\. It ranks \d+ of \d+ free times\.\n/,
  );
  const booked = await run(
    ['schedule', ...both, time, '--title', 'Intro', '--require-free', '--metadata', 'a=b=c', '--metadata', 'd='],
    env,
  );
  const [, id = ''] = /^(meet_\w+) is booked for \S+, https:\/\/meet\.google\.com\/\S+\.\n$/.exec(booked.out) ?? [];
  expect((await run(['meetings', ada.email], env)).out).toContain(`${id}  scheduled    Intro (${both.join(', ')})`);
  const { meetings } = JSON.parse((await run(['meetings', ada.email, '--json'], env)).out);
  expect(meetings).toMatchObject([{ metadata: { a: 'b=c' } }]);
  const moved = await run(['reschedule', id, '--by', ada.email, '--reason', 'too early'], env);
  const [, next = ''] = /^Moved to \S+\. The new meeting is (meet_\w+)\.\n/.exec(moved.out) ?? [];
  expect(await run(['cancel', next], env)).toEqual({ code: 0, out: `${next} is cancelled.\n`, err: '' });
  expect(liveEvents(ada.email)).toEqual([]);
});

test('a job is waited for and told in words', async () => {
  const { platform, ada, bob } = await bookable();
  const { out } = await runWithQueue(['auto', ada.email, bob.email, '--context', 'interview', '--wait'], platform);
  expect(out).toMatch(/^meet_\w+ is booked for \S+, \w+ match\.\n.+\.\n$/);
});

test('a refusal is told with its code and where it is explained', async () => {
  const { platform } = await bookable();
  const { code, out, err } = await run(['cancel', 'meet_unknown'], envOf(platform));
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^.+\.\nmeeting_not_found, .+\/docs\/errors#meeting_not_found\n$/);
  const away = await run(['cancel', 'meet_1'], { TANDEM_API_KEY: 'sk_live_x', TANDEM_URL: 'http://127.0.0.1:1' });
  expect(away).toMatchObject({
    code: 1,
    err: 'http://127.0.0.1:1 could not be reached or did not answer in time. Check the address and your network, and try again.\n',
  });
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
  expect(await runWithQueue(['auto', ...both, '--wait'], platform)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^sched_\w+ failed: /),
  });
});

test('propose offers times that Tandem picks, proposals shows them, and withdraw frees them', async () => {
  const { platform, ada, bob } = await proposing();
  const env = envOf(platform);
  const people = [ada.email, bob.email];
  const made = await run(['propose', ...people, '--title', 'Contract questions', '--count', '2'], env);
  expect(made).toMatchObject({ code: 0, err: '' });
  const [first = '', one = '', two = '', ...page] = made.out.trimEnd().split('\n');
  expect(first).toMatch(/^prop_\w+ is open until \d{4}-\d\d-\d\dT\S+Z\.$/);
  for (const line of [one, two]) expect(line).toMatch(/^ {2}\d{4}-\S+Z {2}time_\w+ {2}held {2}\w+day, .+\.$/);
  expect(page).toEqual(['Send this link to the second attendee:', expect.stringMatching(/^ {2}https?:\S+\/p\/\S+$/)]);

  const [id = ''] = first.split(' ');
  const listed = await run(['proposals', '--status', 'open', '--email', bob.email], env);
  expect(listed.out).toMatch(new RegExp(`^\\S+Z {2}${id} {2}open +Contract questions \\(${people.join(', ')}\\)\\n$`));
  const ended = await run(['withdraw', id], env);
  expect(ended).toMatchObject({ code: 0, out: `${id} is withdrawn, and its times are free.\n` });
  expect((await run(['proposals', id], env)).out).toContain(`${id} is withdrawn.\n`);
  expect((await run(['proposals', '--status', 'open'], env)).out).toBe('There are no matching proposals.\n');
});

test('propose offers the times it is given, and refuses a count that is no number', async () => {
  const { platform, body } = await proposing();
  const { attendees, times, title } = body;
  const made = await run(['propose', ...attendees, ...times, '--title', title, '--json'], envOf(platform));
  expect(JSON.parse(made.out).times.map(({ start_time }: { start_time: string }) => Date.parse(start_time))).toEqual(
    times.map(Date.parse),
  );
  const refused = await run(['propose', ...attendees, '--title', title, '--count', 'few'], envOf(platform));
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--count must be a whole number of times.') });
});

const folder = mkdtempSync(join(tmpdir(), 'tandem-batch-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a round to a file: the mentor with each mentee, and with somebody who never connected. */
async function fileOf(name: string) {
  const { platform, mentor, mentees } = await mentoring();
  const rows = mentees.map(({ email }, n) => `pair-${n},${mentor.email},${email},"Talk, number ${n}",autumn`);
  const stranger = `stranger,${mentor.email},stranger-${name}@people.test,,`;
  const file = join(folder, `${name}.csv`);
  const head = '\uFEFFreference,requester,attendee,title,metadata.cohort';
  writeFileSync(file, [head, ...rows, stranger].join('\r\n'));
  return { platform, mentor, file, env: envOf(platform) };
}

/** Runs a command while the queue delivers what is due. */
async function runWithQueue(args: string[], platform: TestPlatform) {
  const ended = run(args, envOf(platform));
  let isRunning = true;
  const deliver = async () => {
    while (isRunning) {
      await world.qstash.deliverDue();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const delivering = deliver();
  const result = await ended;
  isRunning = false;
  await delivering;
  return result;
}

test('a dry run of a file shows what would be, commit books it, and the results are in a file', async () => {
  const { platform, mentor, file } = await fileOf('round');
  const out = join(folder, 'results.csv');
  const dry = await runWithQueue(['batch', file, '--dry-run', '--out', out], platform);
  expect(dry.code).toBe(1);
  const [, id = ''] = /^(batch_\w+) is planned: of 4 meetings, 3 placed, 1 failed\.\n/.exec(dry.out) ?? [];
  expect(dry.err).toContain(`${id}: 4 meetings are being placed.\n`);
  expect(dry.err).toMatch(/ 100 % of 4: 3 placed, 1 failed, 0 open\n$/);
  expect(dry.out).toMatch(/^pair-0 +placed +\d{4}-\d\d-\d\d \d\d:\d\d /m);
  expect(dry.out).toMatch(/^stranger +failed +CALENDAR_NOT_FOUND +/m);
  expect(dry.out).toContain(`Nothing is booked so far. To book this, run: tandem batch commit ${id}\n`);
  expect(liveEvents(mentor.email)).toEqual([]);

  const booked = await runWithQueue(['batch', 'commit', id, '--out', out], platform);
  expect(booked).toMatchObject({ code: 1, out: expect.stringContaining('3 booked, 1 failed') });
  expect(liveEvents(mentor.email)).toHaveLength(3);
  const [head, ...rows] = parseCsv(readFileSync(out, 'utf8')).map((row) => row.map(({ text }) => text));
  expect(head?.slice(0, 4)).toEqual(['reference', 'requester', 'attendee', 'state']);
  expect(rows.map(([reference, , , state]) => [reference, state])).toEqual([
    ['pair-0', 'booked'],
    ['pair-1', 'booked'],
    ['pair-2', 'booked'],
    ['stranger', 'failed'],
  ]);
  expect(rows.every((row) => row.length === head?.length)).toBe(true);
});

test('a file that was booked is not booked again, and the command says so', async () => {
  const { platform, mentor, file, env } = await fileOf('twice');
  const first = await runWithQueue(['batch', file, '--json'], platform);
  const { batch_id, counts, meetings } = JSON.parse(first.out);
  expect([counts.booked, counts.failed, meetings.length]).toEqual([3, 1, 4]);
  const second = await run(['batch', file], env);
  expect(second.out).toContain(`${batch_id} is completed: of 4 meetings, 3 booked, 1 failed.`);
  expect(second.err).toContain('This file was sent within the last 24 hours, so nothing is sent again.');
  expect(liveEvents(mentor.email)).toHaveLength(3);
});

test('Ctrl-C ends the command and not the batch, which can be shown and cancelled', async () => {
  const { mentor, file, env } = await fileOf('interrupted');
  const child = start(['batch', file], env);
  let said = '';
  const waiting = new Promise<void>((resolve) => {
    child.stderr.on('data', (chunk) => {
      said += chunk;
      if (said.includes('4 open')) resolve();
    });
  });
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await waiting;
  child.kill('SIGINT');
  expect(await ended).toBe(1);
  const [, id = ''] = /^(batch_\w+): 4 meetings are being placed and booked\.\n/.exec(said) ?? [];
  expect(said).toContain(`To see it again, run: tandem batch show ${id}\n`);
  expect((await run(['batch', 'show', id], env)).out).toContain(`${id} is processing: of 4 meetings, 4 open.`);
  const cancelled = `${id} is cancelled. 0 meetings were booked and stay, and 4 are cancelled.\n`;
  expect(await run(['batch', 'cancel', id], env)).toMatchObject({ code: 0, out: cancelled });
  await world.qstash.deliverDue();
  expect(liveEvents(mentor.email)).toEqual([]);
});

test('what the API refuses in a file is named by line and column', async () => {
  const { env, mentor } = await fileOf('refused');
  const file = join(folder, 'wrong.csv');
  writeFileSync(
    file,
    `reference,requester,attendee,context\na,${mentor.email},ben@x.test,\nb,${mentor.email},eve@x.test,party\n`,
  );
  const refused = await run(['batch', file], env);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toMatch(/^wrong\.csv, line 3, column 4:\n`meetings\.1\.context`/);
});

test('results that cannot be written are refused before anything is sent', async () => {
  const { file, env, mentor } = await fileOf('unwritable');
  const refused = await run(['batch', file, '--out', '/nowhere/results.csv'], env);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('/nowhere/results.csv cannot be written') });
  expect(liveEvents(mentor.email)).toEqual([]);
});

test('trigger makes an event happen in a local world, and tells of its delivery', async () => {
  const { platform } = await bookable();
  const { code, out, err } = await run(['trigger', 'meeting.scheduled'], envOf(platform));
  expect({ code, err }).toEqual({ code: 0, err: '' });
  expect(out).toMatch(/^meet_\w+ was booked\.\nwh_del_\w+ to https:\S+: success 200\.\n$/);
  const wrong = await run(['trigger', 'meeting.booked'], envOf(platform));
  expect(wrong).toMatchObject({ code: 1, err: expect.stringContaining('must be one of user.calendar.connected') });
  const unmade = await run(['trigger', 'webhook.test'], envOf(platform));
  expect(unmade).toMatchObject({ code: 2, err: expect.stringContaining('must be one of user.calendar.connected') });
});

test('trigger sends a sample where there is no local world', async () => {
  const { platform } = await bookable();
  // A hosted Tandem: this one without the address that tells of its world.
  const hosted = createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    if (url === '/.local/world') return response.writeHead(404).end();
    const body = method === 'GET' ? null : await text(request);
    const { authorization = '' } = headers;
    const init = { method, body, headers: { authorization, 'content-type': 'application/json' } };
    const answer = await fetch(world.baseUrl + url, init);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
  }).listen(0, '127.0.0.1');
  await once(hosted, 'listening');
  const url = `http://127.0.0.1:${(hosted.address() as AddressInfo).port}`;
  const { code, out } = await run(['trigger', 'meeting.scheduled'], { ...envOf(platform), TANDEM_URL: url });
  hosted.close();
  expect(out).toContain(`A sample of meeting.scheduled was sent, because ${url} has no local world.\n`);
  expect(out).toMatch(/wh_del_\w+ to https:\S+: success 200\.\n$/);
  expect(code).toBe(0);
});

test('listening to a disabled endpoint prints a warning, and --json prints one line of JSON per event', async () => {
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
  expect(await err).toMatch(/^The webhook https:\S+ is disabled\. .+\.\n$/);
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
    new RegExp(
      `^Listening for events and forwarding them to ${url}\\.\\n\\S+ {2}meeting\\.scheduled {2}(wh_del_\\w+) {2}200\\n$`,
    ),
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
  expect(again.out).toMatch(/^Resending wh_\w+ as wh_del_\w+\.\n$/);
  const all = await run(['webhooks', 'replay', '--since', since], envOf(platform));
  expect(all).toMatchObject({ code: 0, out: expect.stringMatching(/event/) });
});
