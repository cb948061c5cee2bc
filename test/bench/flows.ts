// Counts which of our files run in three flows, which are the files that somebody must open to follow one:
//
//   npm run bench -- flows
//
// - A search that reads both calendars from the snapshots.
// - A booking with `require_free`.
// - A minute's sweep that finishes one booking, whose Worker died before the calendar answered.
//
// The Worker's functions note in which file they are. A file counts if a function in it ran, also after the answer. What a
// file does while the Worker loads counts for no flow. The lines are those of the whole files.
// `npm run bench -- flows --files` also prints the files.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'vitest/node';
import { bundleWorker } from '../local/bundle.ts';
import { startWorld } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';
import { printTable } from './figures.ts';
import { platformWithPair, reserveOverdue } from './overdue.ts';

/** Comment that esbuild writes in a bundle above the code of each file. */
const FILE = /^\/\/ (\S+\.\w+)$/gm;
const OURS = /^(functions|lib|schema)\//;
const RAN = 'globalThis.filesRun';

interface Node {
  type: string;
  start: number;
  end: number;
  body?: Node;
}

/** Returns a bundle whose functions note in which of our files they are. The bundle must not be minified. */
function noteFiles(bundle: string): string {
  const starts = Array.from(bundle.matchAll(FILE), ({ index, 1: name = '' }) => ({ index, name }));
  const fileAt = (offset: number) => starts.findLast(({ index }) => index < offset)?.name ?? '';
  const added: { at: number; text: string }[] = [];
  for (const node of functionsIn(parseAst(bundle))) {
    const file = fileAt(node.start);
    if (!OURS.test(file) || node.body === undefined) continue;
    const note = `${RAN}.add(${JSON.stringify(file)})`;
    if (node.body.type === 'BlockStatement') added.push({ at: node.body.start + 1, text: `${note};` });
    else added.push({ at: node.body.start, text: `(${note}, ` }, { at: node.body.end, text: ')' });
  }
  let [noted, from] = [`${RAN} = new Set();\n`, 0];
  for (const { at, text } of added.sort((a, b) => a.at - b.at)) {
    noted += bundle.slice(from, at) + text;
    from = at;
  }
  return noted + bundle.slice(from);
}

function* functionsIn(node: unknown): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  if ('type' in node && /Function/.test(String(node.type))) yield node as Node;
  for (const child of Object.values(node)) yield* functionsIn(child);
}

const HOUR = 3_600_000;
const FOLDERS = ['functions', 'lib', 'schema'];

const entry = fileURLToPath(new URL('flows-worker.ts', import.meta.url));
const world = await startWorld({ script: noteFiles(await bundleWorker(entry)) });
try {
  await bench();
} finally {
  await world.close();
}

async function bench(): Promise<void> {
  const scene = await platformWithPair(world, 'flows');
  const { send } = createClient(world.baseUrl, scene.key);
  await world.worker.runScheduled(world.clock.now());
  await world.qstash.deliverDue();
  await world.google.settled();
  const search = () => expectOk(send('POST', '/v1/availability', { attendees: scene.emails }));
  const start_time = new Date(Math.ceil(world.clock.now() / (24 * HOUR)) * 24 * HOUR + 34 * HOUR).toISOString();
  const booking = { attendees: scene.emails, start_time, duration_minutes: 30, title: 'Bench', require_free: true };
  await search();

  await reserveOverdue(world, scene, 1, 10 * 60_000);
  const flows: Record<string, string[]> = {
    sweep: await filesOf(() => world.worker.runScheduled(world.clock.now()).then(settle)),
    search: await filesOf(() => search().then(settle)),
    booking: await filesOf(() => expectOk(send('POST', '/v1/schedule', booking)).then(settle)),
  };
  printTable([
    ['flow', 'files', ...FOLDERS, 'lines'],
    ...Object.entries(flows).map(([name, files]) => [
      name,
      String(files.length),
      ...FOLDERS.map((folder) => String(files.filter((file) => file.startsWith(`${folder}/`)).length)),
      String(files.reduce((sum, file) => sum + linesOf(file), 0)),
    ]),
  ]);
  if (process.argv.includes('--files'))
    for (const [name, files] of Object.entries(flows)) console.log(`\n${name}\n${files.join('\n')}`);
}

async function filesOf(work: () => Promise<unknown>): Promise<string[]> {
  await filesRun();
  await work();
  return (await filesRun()).sort();
}

async function filesRun(): Promise<string[]> {
  const response = await fetch(`${world.baseUrl}/files-run`);
  return (await response.json()) as string[];
}

async function expectOk(asked: Promise<{ status: number; text: string }>): Promise<void> {
  const { status, text } = await asked;
  if (status !== 200) throw new Error(`${status}: ${text}`);
}

/** Waits until the work after an answer is done. */
async function settle(): Promise<void> {
  const open = () => world.traffic.list().some(({ end }) => end === null);
  do await sleep(300);
  while (open());
}

function linesOf(file: string): number {
  return readFileSync(file, 'utf8').split('\n').length - 1;
}
