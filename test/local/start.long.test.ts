import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { eventually } from '../support/worlds/quiet.ts';
import { freePort } from './free-port.ts';
import type { Stack } from './kept.ts';

const START = fileURLToPath(new URL('start.ts', import.meta.url));

let folder: string;
let port: number;
const running = new Set<ChildProcess>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
  port = await freePort();
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['loads', () => true],
  ['makes its database', () => readdirSync(folder).includes('pglite')],
])('it says at once that it starts, and Ctrl-C while it %s ends it with 0', async (_, isSoFar) => {
  const stack = launch();
  await eventually(() => expect(stack.printed()).toMatch(/^Starting Tandem: /));
  await eventually(() => expect(isSoFar()).toBe(true));
  expect(await stack.interrupt()).toBe(0);
  expect(readdirSync(folder)).not.toContain('lock.json');
});

describe('from one start to the next', () => {
  let meeting: { meeting_id: string; start_time: string; end_time: string };
  let key: string;
  let workerd: number;

  test('what is printed can be pasted: search, book what was found, see the webhook', async () => {
    const stack = await launch().open();
    workerd = stack.workerd();
    expect(isRunning(workerd)).toBe(true);
    const [search = '', booking = '', inbox = ''] = stack.printed().match(/^ {2}curl .*$/gm) ?? [];
    const { slots } = paste(search);
    meeting = paste(booking);
    expect(slots.map(({ start_time }: { start_time: string }) => Date.parse(start_time))).toContain(
      Date.parse(meeting.start_time),
    );
    await eventually(() => expect(JSON.stringify(paste(inbox))).toContain(meeting.meeting_id));
    expect(paste(booking)).toMatchObject({ error: { code: 'slot_unavailable' } });
    key = stack.info().platform.secret_key ?? '';
    expect(await stack.interrupt()).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['pglite', 'stack.json', 'world']);
    expect(isRunning(workerd)).toBe(false);
  });

  test('the world stays whole: a meeting of before is moved on both calendars, what came in is still there', async () => {
    const stack = await launch().open();
    expect(stack.info().platform.secret_key).toBe(key);
    const later = (instant: string) => new Date(Date.parse(instant) + 7 * 86_400_000).toISOString();
    const [start, end] = [later(meeting.start_time), later(meeting.end_time)];
    const moved = await stack.call('PUT', `/v1/meetings/${meeting.meeting_id}`, { start_time: start, end_time: end });
    expect(moved).toMatchObject({ status: 200, body: { meeting_id: meeting.meeting_id } });
    const { users, world_url: world } = stack.info();
    for (const { email } of users.slice(0, 2)) {
      const events = await (await fetch(`${world}/google/events?email=${email}`)).text();
      const { dateTime } = JSON.parse(events).events.find(
        ({ summary }: { summary: string }) => summary === 'Coffee',
      ).start;
      expect(Date.parse(dateTime)).toBe(Date.parse(start));
    }
    const inbox = await (await fetch(`${world}/inbox`)).text();
    expect(inbox).toContain('meeting.scheduled');
    const status = await stack.call('GET', `/v1/users/${users[0]?.email}/status`);
    expect(status.body).toMatchObject({ calendar_connected: true });
    workerd = stack.workerd();
    stack.child.kill('SIGKILL');
    await once(stack.child, 'exit');
    // The kill leaves workerd behind.
    expect(isRunning(workerd)).toBe(true);
  });

  test('after a kill the next start ends what was left, and has the world as it was', async () => {
    const stack = await launch().open();
    expect(isRunning(workerd)).toBe(false);
    expect(await stack.call('DELETE', `/v1/meetings/${meeting.meeting_id}`)).toMatchObject({ status: 200 });
    const second = launch();
    const [code] = await once(second.child, 'exit');
    expect(code).toBe(1);
    expect(second.printed()).toContain(`${folder} is in use by process ${stack.child.pid}. Stop that process first.`);
    expect(await stack.interrupt('SIGTERM')).toBe(0);
  });

  test('a world is not continued on other servers', async () => {
    const stack = launch('--redis', 'redis://127.0.0.1:1');
    const [code] = await once(stack.child, 'exit');
    expect(code).toBe(1);
    expect(stack.printed()).toContain('was started with no other servers. Start it the same way');
  });

  test('--fresh forgets it', async () => {
    const stack = await launch('--fresh').open();
    expect(stack.info().platform.secret_key).not.toBe(key);
    expect(await stack.call('GET', `/v1/meetings/${meeting.meeting_id}`)).toMatchObject({ status: 404 });
    expect(await stack.interrupt()).toBe(0);
  });
});

test('of starts at once each serves its own world on its port, and only one of those that want the same port', async () => {
  const other = await freePort();
  const [same, twin, apart] = [launchIn('same'), launchIn('twin'), launchIn('apart', other)];
  const served = await Promise.any([same, twin].map((stack) => stack.open()));
  const refused = served === same ? twin : same;
  await vi.waitFor(() => expect(refused.child.exitCode).toBe(1));
  expect(refused.printed()).toContain(`Port ${port} is taken. Choose another port`);
  await apart.open();
  const urls = [served, apart].map((stack) => stack.info().base_url);
  expect(urls).toEqual([`http://localhost:${port}`, `http://localhost:${other}`]);
  expect(served.printed()).toContain(`API        ${urls[0]}`);
  expect(apart.printed()).toContain(`API        ${urls[1]}`);
  for (const stack of [served, apart]) {
    const secretKey = stack.info().platform.secret_key;
    const statuses = urls.map(async (url) => {
      const headers = { authorization: `Bearer ${secretKey}` };
      return (await fetch(`${url}/v1/platform/settings`, { headers })).status;
    });
    expect(await Promise.all(statuses)).toEqual(stack === served ? [200, 401] : [401, 200]);
  }
  for (const stack of [served, apart]) expect(await stack.interrupt()).toBe(0);
});

test('Ctrl-C on a terminal, which npm gets too, ends npm with 0', async () => {
  const options = ['--data', folder, '--port', String(port)];
  // The process group is its own, as in a terminal.
  const npm = spawn('npm', ['start', '--', ...options], { detached: true, stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  npm.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  try {
    await eventually(() => expect(printed).toContain('Press Ctrl-C to stop.'));
    process.kill(-(npm.pid ?? 0), 'SIGINT');
    expect(await once(npm, 'exit')).toEqual([0, null]);
    expect(readdirSync(folder)).not.toContain('lock.json');
  } finally {
    if (npm.exitCode === null) process.kill(-(npm.pid ?? 0), 'SIGKILL');
  }
});

test('--help and a wrong option are answered with the usage', async () => {
  for (const [option, code] of [['--help', 0] as const, ['--prot=1', 2] as const]) {
    const stack = launch(option);
    expect(await once(stack.child, 'exit')).toEqual([code, null]);
    expect(stack.printed()).toContain('Usage: npm start -- [options]');
    expect(stack.printed()).not.toContain('    at ');
  }
});

test('without a model rules read what people write; --model plays recorded answers, and a bad file is refused', async () => {
  const text = 'No calls in the gloaming';
  const answers = join(folder, 'answers.json');
  writeFileSync(
    answers,
    JSON.stringify([{ text, answer: { standing: [{ quote: text, verdict: 'never', from: '16:00' }] } }]),
  );
  const rulesWith = async (...options: string[]) => {
    const stack = await launch('--fresh', '--logs', ...options).open();
    const { base_url, users } = stack.info();
    const response = await fetch(`${base_url}/v1/user/preferences`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${users[0]?.api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ scheduling_context: text }),
    });
    const { rules } = (await response.json()) as { rules: { meaning: string }[] };
    await eventually(() => expect(stack.printed()).toContain('"message":"a scheduling context was read"'));
    const readBy = /"read_by":"(\w+)"/.exec(stack.printed())?.[1];
    expect(await stack.interrupt()).toBe(0);
    return [readBy, rules.map(({ meaning }) => meaning)];
  };
  expect(await rulesWith()).toEqual(['rules', []]);
  expect(await rulesWith('--model', answers)).toEqual(['model', ['Never after 16:00']]);
  writeFileSync(answers, '[{}]');
  const stack = launch('--model', answers);
  const [code] = await once(stack.child, 'exit');
  expect([code, stack.printed()]).toEqual([1, expect.stringContaining(`${answers} is no file of recorded answers.`)]);
});

/** Starts the stack on this file's folder and port. */
function launch(...options: string[]) {
  return launchIn('.', port, ...options);
}

function launchIn(name: string, at = port, ...options: string[]) {
  const data = join(folder, name);
  const child = spawn(process.execPath, [START, '--data', data, '--port', String(at), ...options]);
  running.add(child);
  child.once('exit', () => running.delete(child));
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => lines.push(line));
  const printed = () => lines.join('\n');
  const info = (): Stack => JSON.parse(readFileSync(join(data, 'stack.json'), 'utf8'));
  const stack = {
    child,
    printed,
    info,
    workerd: (): number => JSON.parse(readFileSync(join(data, 'lock.json'), 'utf8')).child.pid,
    /** Waits until the stack runs. */
    async open() {
      await vi.waitFor(
        () => {
          if (child.exitCode !== null) throw new Error(`it ended: ${printed()}`);
          expect(printed()).toContain('Press Ctrl-C to stop.');
        },
        { timeout: 90_000, interval: 50 },
      );
      return stack;
    },
    async interrupt(signal: 'SIGINT' | 'SIGTERM' = 'SIGINT') {
      child.kill(signal);
      const [code] = await once(child, 'exit');
      return code;
    },
    async call(method: string, path: string, body?: object) {
      const { base_url, platform } = info();
      const response = await fetch(base_url + path, {
        method,
        headers: { authorization: `Bearer ${platform.secret_key}`, 'content-type': 'application/json' },
        body: body === undefined ? null : JSON.stringify(body),
      });
      return { status: response.status, body: await response.json() };
    },
  };
  return stack;
}

/** Runs a printed command as a person would, and reads the JSON it prints. */
function paste(command: string) {
  return JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }));
}

/** Returns true unless the process has ended. One that nobody has waited for yet has ended too, and is a zombie. */
const isRunning = (pid: number) => /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)]).stdout.toString());
