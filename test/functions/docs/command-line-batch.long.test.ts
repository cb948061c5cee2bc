import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parseCsv } from '../../../lib/client/cli/csv.ts';
import { mentoring } from '../../support/people/batches.ts';
import type { TestPlatform } from '../../support/people/factories.ts';
import { liveEvents } from '../../support/people/meetings.ts';
import { endCommandsAfterAll, envOf, run, start } from '../../support/worlds/command-line.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();
endCommandsAfterAll();

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

test.each([
  [['batch'], 'The argument <file.csv> is missing.'],
  [['batch', '/nowhere/round.csv'], '/nowhere/round.csv cannot be read (ENOENT).'],
  [['batch', 'commit'], 'The argument <batch_id> is missing.'],
  [['batch', 'cancel', 'batch_1', '--dry-run'], 'batch cancel has no option --dry-run.'],
])('%j is answered with what is wrong', async (args, said) => {
  const env = { TANDEM_API_KEY: 'sk_live_x', TANDEM_URL: 'http://127.0.0.1:1' };
  expect(await run(args, env)).toEqual({ code: 2, out: '', err: `${said} Run "tandem --help" for usage.\n` });
});

test('results that cannot be written are refused before anything is sent', async () => {
  const { file, env, mentor } = await fileOf('unwritable');
  const refused = await run(['batch', file, '--out', '/nowhere/results.csv'], env);
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('/nowhere/results.csv cannot be written') });
  expect(liveEvents(mentor.email)).toEqual([]);
});
