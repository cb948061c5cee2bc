import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { freshPerson } from '../../support/people/factories.ts';
import { bookable, hoursLater, liveEvents } from '../../support/people/meetings.ts';
import { proposing } from '../../support/people/proposing.ts';
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
  [['book'], '"book" is not a command. Run "tandem --help" for usage.'],
  [['\x1b[2Jbook\n\x9b'], '"\\u001b[2Jbook\\u000a\\u009b" is not a command. Run "tandem --help" for usage.'],
  [['availability', 'a@x.test'], 'The argument <email> is missing. Run "tandem --help" for usage.'],
  [['meetings', '..'], 'The argument <email> cannot be "..". Run "tandem --help" for usage.'],
  [['cancel', 'meet_1', 'now'], 'The command takes no argument "now". Run "tandem --help" for usage.'],
  [
    ['schedule', 'a@x.test', 'b@x.test', '2030-01-07T10:00Z'],
    'The option --title is missing. Run "tandem --help" for usage.',
  ],
  [
    ['availability', 'a@x.test', 'b@x.test', '--duration', 'long'],
    '--duration must be a whole number of minutes. Run "tandem --help" for usage.',
  ],
  [
    ['auto', 'a@x.test', 'b@x.test', '--metadata', 'order'],
    '--metadata must have the form key=value. Run "tandem --help" for usage.',
  ],
  [
    ['webhooks', 'watch'],
    'The command "webhooks" must be followed by "listen" or "replay". Run "tandem --help" for usage.',
  ],
  [['webhooks'], 'The command "webhooks" must be followed by "listen" or "replay". Run "tandem --help" for usage.'],
  [['cancel', 'meet_1', '--durration', '3'], 'The command has no option --durration. Run "tandem --help" for usage.'],
  [['cancel', 'meet_1', '--wait=3'], 'The option --wait takes no value. Run "tandem --help" for usage.'],
  [['schedule', '--title'], 'The option --title needs a value. Run "tandem --help" for usage.'],
  [
    ['auto', 'a@x.test', 'b@x.test', '--require-free'],
    'auto has no option --require-free. Run "tandem --help" for usage.',
  ],
  [['webhooks', 'replay', '--secret', 'x'], 'webhooks replay has no option --secret. Run "tandem --help" for usage.'],
  [
    ['webhooks', 'listen', '--forward-to', '3210'],
    '--forward-to must be a URL, such as http://localhost:3000/webhooks. Run "tandem --help" for usage.',
  ],
  [
    ['webhooks', 'listen', '--since', '2026-12-01'],
    '--since must be a time with an offset, such as 2026-12-01T14:00+01:00. Run "tandem --help" for usage.',
  ],
  [
    ['webhooks', 'listen', '--secret', 'nosuch'],
    '--secret must be a webhook secret, whsec_…, as the API returned it when you set the webhook. Run "tandem --help" for usage.',
  ],
])('%j is answered with what is wrong', async (args, said) => {
  const env = { TANDEM_API_KEY: 'sk_live_x', TANDEM_URL: 'http://127.0.0.1:1' };
  expect(await run(args, env)).toEqual({ code: 2, out: '', err: `${said}\n` });
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
  const waiting = run(['auto', ...both, '--wait'], env);
  const asked = () => world.qstash.pending().some(({ url }) => url.endsWith('/internal/run-job'));
  await expect.poll(asked).toBe(true);
  await world.qstash.deliverDue();
  expect(await waiting).toMatchObject({ code: 1, out: expect.stringMatching(/^sched_\w+ failed: /) });
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
