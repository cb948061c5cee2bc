import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DAY } from '../../lib/engine/time/dates.ts';
import { migratedDatabase, preparedScript } from '../support/worlds/prepared.ts';
import { seed } from './seed.ts';
import { startWorld, type World } from './world.ts';

const README = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'tandem-readme-'));

let world: World;
let key: string | null;
beforeAll(async () => {
  world = await startWorld({ patience: 20, script: await preparedScript(), snapshot: await migratedDatabase() });
  await world.advance(110 * DAY);
  key = (await seed(world)).platform.secret_key;
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
  const calls = [...README.matchAll(/^```sh\n(.*?)^```$/gms)]
    .map(([, block = '']) => block)
    .filter((block) => /^KEY=|curl .*(?:localhost:8787|127\.0\.0\.1:8788\/inbox)/m.test(block));
  expect(calls).toHaveLength(5);
  const [setKey = '', search = '', book = '', look = '', connect = ''] = calls.map((call) =>
    call
      .replace('sk_live_…', key ?? '')
      .replaceAll('http://localhost:8787', world.baseUrl)
      .replaceAll('http://127.0.0.1:8788', world.worldUrl),
  );
  const found = await shell(setKey + search);
  const booked = await shell(setKey + book);
  expect((await fetch(`${world.worldUrl}/queue/deliver`, { method: 'POST' })).status).toBe(200);
  const inbox = await shell(look);
  const { slots } = JSON.parse(found);
  expect(Date.parse(slots[0].start_time)).toBeGreaterThan(world.clock.now());
  const { success, meeting_id, start_time } = JSON.parse(booked);
  expect([success, Date.parse(start_time)]).toEqual([true, Date.parse(slots[0].start_time)]);
  expect(inbox).toContain(meeting_id);
  expect(await shell(setKey + connect)).toMatch(/authorize\?.*"api_key":\s*"sk_user_/s);
});
