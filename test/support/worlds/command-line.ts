import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll } from 'vitest';
import type { TestPlatform } from '../people/factories.ts';
import { world } from './world.ts';

const started: ChildProcess[] = [];

/** Ends every command that a suite started. Call it once at the top of the suite. */
export function endCommandsAfterAll(): void {
  afterAll(() => {
    for (const child of started) child.kill('SIGKILL');
  });
}

export function start(args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['lib/client/cli/main.ts', ...args], {
    env: { ...env, NODE_NO_WARNINGS: '1' },
  });
  started.push(child);
  return child;
}

export const envOf = ({ secret_key }: TestPlatform) => ({ TANDEM_API_KEY: secret_key, TANDEM_URL: world.baseUrl });

export async function run(args: string[], env?: Record<string, string>) {
  const child = start(args, env);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, out, err };
}
