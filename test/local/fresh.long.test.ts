import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { onlyOne, readmeBlock, readmeBlocks } from '../support/checks/readme-blocks.ts';
import { blockOf } from '../support/worlds/docs-blocks.ts';
import { freePort } from './free-port.ts';

const ROOT = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'tandem-fresh-'));
beforeAll(() => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
  for (const file of files) cpSync(join(ROOT, file), join(folder, file));
});
afterAll(() => rmSync(folder, { recursive: true }));

test('in a fresh copy of the repository, the commands of the README and of the docs install and start Tandem', async () => {
  const command = await blockOf('/docs/testing', 'npm start');
  expect(await blockOf('/docs', 'npm start')).toBe(command);
  expect(readmeBlock('README.md', 'npm install && npm start').trim()).toBe(command);
  const port = await freePort();
  // The port is the only thing changed, because a Tandem may already run on 8787. npm takes packages from its cache.
  const child = spawn('sh', ['-c', `${command} -- --port ${port}`], {
    cwd: folder,
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
