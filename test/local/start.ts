import { end } from '../../functions/cli/command.ts';
import { readStartOptions } from './options.ts';
import { endOnSignal } from './stack.ts';

const asked = readStartOptions(process.argv.slice(2));
if ('print' in asked) end(asked);
// Node cannot exit while it compiles the database, so a signal waits until the start is finished and then closes
// everything.
let running: Promise<() => Promise<void>> | undefined;
endOnSignal(async () => (await running)?.());
console.log('Starting Tandem: Postgres, Redis, the queue and the calendar on this machine, then the Worker.');
// Loading the stack takes a second, so it happens after the options are read and the first line is printed.
const { runStack } = await import('./stack.ts');
running = runStack(asked.options);
await running.catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
