import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DAY } from '../../lib/engine/time/dates.ts';
import { onlyOne, readmeBlock, readmeBlocks } from '../support/checks/readme-blocks.ts';
import { blockOf } from '../support/worlds/docs-blocks.ts';
import { migratedDatabase, preparedScript } from '../support/worlds/prepared.ts';
import { freePort } from './free-port.ts';
import { seed } from './seed.ts';
import { startWorld, type World } from './world.ts';

const folder = mkdtempSync(join(tmpdir(), 'tandem-readme-'));

let world: World;
beforeAll(async () => {
  world = await startWorld({ patience: 20, script: await preparedScript(), snapshot: await migratedDatabase() });
  await world.advance(110 * DAY);
  const { platform } = await seed(world);
  mkdirSync(join(folder, '.local'));
  writeFileSync(join(folder, '.local/stack.json'), JSON.stringify({ platform }));
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a script as a person pastes it. The world runs in this process, so the call must not block it. */
async function shell(script: string): Promise<string> {
  return (await promisify(execFile)('sh', ['-e', '-c', script], { cwd: folder, timeout: 60_000 })).stdout;
}

test('the calls of the README find, book, show a webhook and connect a person, also months after they were written', async () => {
  const [search = '', book = '', look = '', connect = ''] = [
    readmeBlock('README.md', ':8787/v1/availability'),
    readmeBlock('README.md', 'START='),
    readmeBlock('README.md', ':8788/inbox'),
    readmeBlock('README.md', ':8788/connect'),
  ].map((call) =>
    call.replaceAll('http://localhost:8787', world.baseUrl).replaceAll('http://127.0.0.1:8788', world.worldUrl),
  );
  // Later calls are pasted into the same terminal, so they have the key of the first.
  const [setKey = ''] = search.split(/^(?=curl)/m);
  const found = await shell(search);
  const booked = await shell(setKey + book);
  expect((await fetch(`${world.worldUrl}/queue/deliver`, { method: 'POST' })).status).toBe(200);
  const inbox = await shell(look);
  const { slots } = JSON.parse(found);
  expect(Date.parse(slots[0].start_time)).toBeGreaterThan(world.clock.now());
  const { success, meeting_id, start_time } = JSON.parse(booked);
  expect([success, Date.parse(start_time)]).toEqual([true, Date.parse(slots[0].start_time)]);
  expect(inbox).toContain(meeting_id);
  expect(await shell(setKey + connect)).toMatch(/authorize\?.*"api_key":\s*"sk_user_/s);
  // What the README shows of each response, with its own values in the place of ours.
  const texts = readmeBlocks('README.md', 'text');
  const start = onlyOne('README.md', 'Tandem is running.', texts);
  const shown = texts.filter((text) => text !== start);
  const fieldsIn = (text: string) => [...text.matchAll(/"([a-z_-]+)":/g)].map(([, name]) => name);
  for (const [at, printed] of [found, booked, inbox].entries())
    expect(fieldsIn(printed), shown[at] ?? '').toEqual(expect.arrayContaining(fieldsIn(shown[at] ?? '-')));
  expect(shown.map((text) => fieldsIn(text).length > 5)).toEqual([true, true, true]);
});

const ROOT = join(import.meta.dirname, '../..');
const copy = mkdtempSync(join(tmpdir(), 'tandem-fresh-'));
beforeAll(() => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) cpSync(join(ROOT, file), join(copy, file));
});
afterAll(() => rmSync(copy, { recursive: true }));

test('in a fresh copy of the repository, the commands of the README and of the docs install and start Tandem', async () => {
  const command = await blockOf('/docs/testing', 'npm start');
  expect(await blockOf('/docs', 'npm start')).toBe(command);
  expect(readmeBlock('README.md', 'npm install && npm start').trim()).toBe(command);
  const port = await freePort();
  // The port is the only thing changed, because a Tandem may already run on 8787. npm takes packages from its cache.
  const child = spawn('sh', ['-c', `${command} -- --port ${port}`], {
    cwd: copy,
    env: { ...process.env, npm_config_prefer_offline: 'true' },
    detached: true,
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (printed += String(part)));
  const ended = once(child, 'exit');
  try {
    await vi.waitFor(() => expect(printed).toMatch(/Tandem is running\..*curl .*inbox/s), { timeout: 500_000 });
    expect((await fetch(`http://localhost:${port}/health`)).status).toBe(200);
    const shown = onlyOne('README.md', 'Tandem is running.', readmeBlocks('README.md', 'text'));
    const labels = [...shown.matchAll(/^ +([a-z]+(?: [a-z]+)*|[a-z.]+@demo\.test)(?: {2}|$)/gim)].map(([, one]) => one);
    expect(labels.length).toBeGreaterThan(8);
    for (const label of labels) expect(printed).toContain(label);
  } finally {
    process.kill(-(child.pid ?? 0), 'SIGINT');
    await ended;
  }
});
