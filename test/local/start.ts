import { readStartOptions } from './options.ts';
import { endOnSignal } from './signals.ts';

const asked = readStartOptions(process.argv.slice(2));
if ('print' in asked) {
  (asked.exitCode === 0 ? process.stdout : process.stderr).write(asked.print);
  process.exit(asked.exitCode);
}
// Node does not end while a database is being compiled: what has begun is finished, and closed.
let running: Promise<() => Promise<void>> | undefined;
endOnSignal(async () => (await running)?.());
console.log('Tandem starts: Postgres, Redis, the queue and the calendar on this machine, then the Worker.');
// Loaded only now, as that alone takes a second.
const { runStack } = await import('./stack.ts');
running = runStack(asked.options);
await running.catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
