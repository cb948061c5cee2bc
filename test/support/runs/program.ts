import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program of Node in a process of its own, which a signal reaches too. Returns its exit code. */
export async function runProgram(args: string[], env = process.env): Promise<number> {
  const child = spawn(process.execPath, args, { env, stdio: 'inherit' });
  const end = (signal: NodeJS.Signals) => child.kill(signal);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  const [code] = await once(child, 'close');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
  return Number(code ?? 1);
}
