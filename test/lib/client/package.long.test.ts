import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ASSETS, packagePath } from '../../../functions/cli/assets.ts';
import { VERSION } from '../../../functions/cli/release.ts';
import { bookable, liveEvents } from '../../support/people/meetings.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const TOOLS = join(import.meta.dirname, '../../openapi');
const compiler = (name: string) => join(TOOLS, 'node_modules', name, 'bin/tsc');
const folder = mkdtempSync(join(tmpdir(), 'tandem-package-'));
const run = (command: string, args: string[], cwd = folder) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Program as a platform would write it: it searches, books, reads and prints the meeting. */
const MAIN = `
import { createTandem } from '@tandem-api/client/client';
import { verifyWebhook } from '@tandem-api/client/webhooks';
export async function main({ apiKey, baseUrl, attendees }) {
  const tandem = createTandem({ apiKey, baseUrl });
  const { slots: [{ start_time }] } = await tandem.findAvailability({ attendees });
  const wanted = { attendees, start_time, duration_minutes: 30, title: 'Intro' };
  const { meeting_id } = await tandem.scheduleMeeting(wanted);
  const verdict = await verifyWebhook({ secret: 's'.repeat(50), headers: {}, body: '{}' });
  return { meeting: await tandem.getMeeting(meeting_id), reason: verdict.reason };
}`;
const IN_NODE =
  "import { main } from './main.mjs'; console.log(JSON.stringify(await main(JSON.parse(process.env.ASKED))));";
const IN_WORKER =
  "import { main } from './main.mjs'; export default { fetch: async (r) => Response.json(await main(await r.json())) };";
const TYPED = `
import { createTandem, type Slot, TandemError } from '@tandem-api/client';
import { verifyWebhook } from '@tandem-api/client/webhooks';
const tandem = createTandem({ apiKey: 'k', baseUrl: 'https://api.test' });
export async function book(attendees: [string, string]): Promise<string | Slot[]> {
  const { slots, warnings }: { slots: Slot[]; warnings?: string[] | undefined } = await tandem.findAvailability({ attendees });
  console.warn(warnings?.join());
  const start: string | undefined = slots[0]?.start_time;
  // @ts-expect-error a time may be missing
  const surely: string = slots[0]?.start_time;
  // @ts-expect-error no such field
  await tandem.scheduleMeeting({ attendees, start_time: surely, duration_minutes: 30, title: 'T', colour: 'red' });
  try {
    const { meeting_id } = await tandem.scheduleMeeting({ attendees, start_time: start ?? '', duration_minutes: 30, title: 'T' });
    return meeting_id;
  } catch (error) {
    return error instanceof TandemError && error.code === 'slot_unavailable' ? (error.facts.alternatives ?? []) : [];
  }
}
export const wait = async (id: string) => {
  const { result } = await tandem.waitForJob(id);
  return result?.success ? result.chosen_slot.match_quality : result?.suggestions.join();
};
export async function receive(body: string): Promise<string | undefined> {
  const verdict = await verifyWebhook({ secret: 's'.repeat(50), headers: new Headers(), body });
  if (!verdict.ok) return verdict.reason;
  const { event } = verdict;
  // @ts-expect-error only some events have it
  const anyLink = event.data.meet_link;
  if (event.event_type === 'user.calendar.disconnected') return event.data.user_email;
  return event.event_type === 'meeting.scheduled' ? event.data.meeting_id : anyLink;
}
export const free = tandem.getUserAvailability('ada@acme.com', {}).then(({ intervals }) => intervals);
`;

/** Every Node version that a command line on this machine would find, including the tests' own. */
const nodes = () => {
  const named = (process.env.PATH ?? '').split(delimiter).map((path) => join(path, 'node'));
  const versions = [process.execPath, ...named].flatMap((node) => {
    try {
      return [[run(node, ['--version']).trim(), node] as const];
    } catch {
      return [];
    }
  });
  return [...new Map(versions)];
};

beforeAll(() => {
  run('npm', ['ci', '--silent'], TOOLS);
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  run('npm', ['install', '--silent', join(ASSETS, packagePath(VERSION))]);
  writeFileSync(join(folder, 'main.mjs'), MAIN);
  writeFileSync(join(folder, 'node.mjs'), IN_NODE);
  writeFileSync(join(folder, 'worker.mjs'), IN_WORKER);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function asked() {
  const { platform, ada, bob } = await bookable();
  return { apiKey: platform.secret_key, baseUrl: world.baseUrl, attendees: [ada.email, bob.email] };
}

function expectBooked({ meeting, reason }: { meeting: { status: string }; reason: string }, [email = '']: string[]) {
  expect([meeting.status, reason]).toEqual(['scheduled', 'malformed']);
  expect(liveEvents(email)).toHaveLength(1);
}

test('the tarball brings JavaScript and declarations, and depends on nothing', () => {
  const { dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(folder, 'node_modules/@tandem-api/client/package.json'), 'utf8'),
  );
  expect({ dependencies, peerDependencies }).toEqual({});
  expect(run('npm', ['ls', '--all', '--parseable']).trim().split('\n')).toHaveLength(2);
  expect(run('find', ['node_modules/@tandem-api/client', '-name', '*.ts', '-not', '-name', '*.d.ts'])).toBe('');
});

test.each(nodes())('%s books with it, and runs its command', async (_version, node) => {
  const wanted = await asked();
  const env = { ASKED: JSON.stringify(wanted) };
  const { stdout } = await promisify(execFile)(node, ['node.mjs'], { cwd: folder, env });
  expectBooked(JSON.parse(stdout), wanted.attendees);
  expect(run(node, ['node_modules/.bin/tandem', '--help'])).toContain('tandem schedule <email> <email> <time>');
});

test('a Worker books with it, bundled under 5 KB gzip', async () => {
  const wanted = await asked();
  const bundle = (entry: string) => {
    const { outputFiles } = buildSync({
      entryPoints: [entry],
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      absWorkingDir: folder,
    });
    return outputFiles[0]?.text ?? '';
  };
  const worker = new Miniflare({ modules: true, script: bundle('worker.mjs'), compatibilityDate: '2026-07-01' });
  try {
    const response = await worker.dispatchFetch('http://worker.test', { method: 'POST', body: JSON.stringify(wanted) });
    expectBooked((await response.json()) as never, wanted.attendees);
  } finally {
    await worker.dispose();
  }
  expect(gzipSync(bundle('node_modules/@tandem-api/client/client/tandem.js')).length).toBeLessThan(5_000);
});

/** Makes a folder of a project without modules, as many older servers are. */
function inCommonJs(file: string, text: string) {
  const path = join(folder, 'commonjs');
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, 'package.json'), '{"type":"commonjs"}');
  writeFileSync(join(path, file), text);
  return path;
}

test.each(nodes())('%s requires it', (_version, node) => {
  const path = inCommonJs(
    'main.js',
    `const { createTandem, TandemError } = require('@tandem-api/client');
     const { verifyWebhook } = require('@tandem-api/client/webhooks');
     console.log(typeof createTandem, typeof TandemError, typeof verifyWebhook);`,
  );
  expect(run(node, ['main.js'], path)).toBe('function function function\n');
});

test.each([
  ['typescript', 'node16', 'node16'],
  ['typescript', 'commonjs', 'node10'],
  ['oldest-typescript', 'node16', 'node16'],
  ['oldest-typescript', 'commonjs', 'node10'],
])('its declarations hold in CommonJS under %s --module %s --moduleResolution %s', (name, module, resolution) => {
  const path = inCommonJs('typed.ts', TYPED);
  const args = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom', '--noUncheckedIndexedAccess'];
  const modules = ['--module', module, '--moduleResolution', resolution];
  expect(
    run(process.execPath, [compiler(name), ...args, '--exactOptionalPropertyTypes', ...modules, 'typed.ts'], path),
  ).toBe('');
});

test.each([
  ['typescript', 'nodenext'],
  ['typescript', 'bundler'],
  ['oldest-typescript', 'nodenext'],
  ['oldest-typescript', 'bundler'],
])('its declarations hold under %s --strict (%s)', (name, resolution) => {
  mkdirSync(join(folder, 'typed'), { recursive: true });
  writeFileSync(join(folder, 'typed/typed.ts'), TYPED);
  const module = resolution === 'bundler' ? 'esnext' : resolution;
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const args = [
    '--noEmit',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
    '--module',
    module,
    '--moduleResolution',
    resolution,
  ];
  expect(run(process.execPath, [compiler(name), ...strict, ...args, 'typed/typed.ts'])).toBe('');
});
