import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import { blockOf } from './docs-blocks.ts';
import { world } from './world.ts';

/** Project of a customer, in a folder of its own, with the client installed as the first page of the docs says. */
export interface Project {
  folder: string;
  write(name: string, content: string): void;
  /** Runs a script of the shell in the folder while the queue delivers what is due. Returns what it printed. */
  shell(script: string, env?: NodeJS.ProcessEnv): Promise<string>;
  /** Starts a script of the shell in the folder, with all that it starts in a process group that `end` ends. */
  start(script: string, env?: NodeJS.ProcessEnv): { child: ChildProcess; printed: () => string };
}

/** Ends a process group as Ctrl-C does. */
export const end = ({ pid = 0 }: ChildProcess) => process.kill(-pid, 'SIGINT');

/** Makes a project. Call it once at the top of the suite, after which it is gone again. */
export async function installed(): Promise<Project> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-docs-'));
  const started: ChildProcess[] = [];
  afterAll(() => {
    for (const child of started) if (child.exitCode === null && child.signalCode === null) end(child);
    rmSync(folder, { recursive: true });
  });
  const write = (name: string, content: string) => writeFileSync(join(folder, name), content);
  const shell = async (script: string, env: NodeJS.ProcessEnv = {}) => {
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
  };
  const start = (script: string, env: NodeJS.ProcessEnv = {}) => {
    const child = spawn('sh', ['-ec', script], { cwd: folder, env: { ...process.env, ...env }, detached: true });
    started.push(child);
    let said = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += String(part)));
    return { child, printed: () => said };
  };
  await shell(await blockOf('/docs', 'npm init'));
  return { folder, write, shell, start };
}

/** Starts a server of a customer on this machine, which keeps what it receives. */
export async function receiver() {
  const received: { headers: Record<string, string>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    received.push({ headers: request.headers as Record<string, string>, body: await text(request) });
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => server.close());
  return { received, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
