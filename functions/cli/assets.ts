import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { PACKED_FROM } from '../../lib/client/sources.ts';
import type { Sources } from '../pages/docs/pages.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = join(ROOT, '.build');
export const ASSETS = join(BUILT, 'assets');
const INPUTS = join(BUILT, 'inputs.json');
const CLIENT = PACKED_FROM.map((pattern) => `lib/${pattern}`);
/** Inputs besides the modules that render, by patterns of paths. A new file that fits one is an input too. */
const LISTED = ['package-lock.json', 'functions/cli/assets.ts', 'functions/{files,docs,pages/css}/**/*.*', ...CLIENT];

export const packagePath = (version: string) => `client/tandem-api-client-${version}.tgz`;

/** A process of its own builds, because what it loads would stay in the memory of a caller that runs for long. */
export async function buildAssets(): Promise<void> {
  const former = readInputs();
  if (former !== undefined && isCurrent(former.files)) return;
  const [code] = await once(spawn(process.execPath, [import.meta.filename], { stdio: 'inherit' }), 'close');
  if (code !== 0) throw new Error('The static assets were not built.');
}

async function buildFrom(former: Inputs | undefined): Promise<void> {
  const since = Date.now();
  const { texts, modules } = await render();
  const built: Record<string, string | Uint8Array> = { ...texts };
  for (const file of filesOf(['functions/files/*.*']))
    built[file.slice('functions/files/'.length)] = readFileSync(join(ROOT, file));

  const document = texts['openapi.json'] ?? '';
  const client = hashOf(document, ...filesOf([...CLIENT, 'package-lock.json']).map(hashOfFile));
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const file = join(ASSETS, packagePath(version));
  const isPacked = client === former?.client && existsSync(file);
  built[packagePath(version)] = isPacked ? readFileSync(file) : await pack(document);

  for (const [path, content] of Object.entries(built)) write(join(ASSETS, path), content);
  for (const path of globSync('**/*.*', { cwd: ASSETS }))
    if (!(path in built)) rmSync(join(ASSETS, path), { force: true });
  // A file that was saved meanwhile may have been read before that, so the next build must not take it for known.
  const known = (each: string) => (statSync(join(ROOT, each)).mtimeMs < since ? hashOfFile(each) : '');
  const files = Object.fromEntries([...modules, ...filesOf(LISTED)].map((each) => [each, known(each)]));
  write(INPUTS, JSON.stringify({ client, files } satisfies Inputs, null, 1));
}

async function pack(document: string): Promise<Uint8Array> {
  // Loading what packs takes as long as all the rest.
  const { packClient } = await import('../../lib/client/pack.ts');
  return packClient(JSON.parse(document));
}

type Inputs = { client: string; files: Record<string, string> };

const readInputs = (): Inputs | undefined =>
  existsSync(INPUTS) ? JSON.parse(readFileSync(INPUTS, 'utf8')) : undefined;

const isCurrent = (files: Record<string, string>) =>
  filesOf(LISTED).every((file) => file in files) &&
  Object.entries(files).every(([file, hash]) => existsSync(join(ROOT, file)) && hashOfFile(file) === hash);

const filesOf = (patterns: string[]) => globSync(patterns, { cwd: ROOT }).toSorted();
const hashOfFile = (file: string) => hashOf(readFileSync(join(ROOT, file)));

function hashOf(...parts: (string | Uint8Array)[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('base64url');
}

export const sourcesOf = (): Sources =>
  Object.fromEntries(
    filesOf(['functions/docs/**/*.md', 'functions/pages/css/*.css']).map((file) => [
      file.replace(/^functions\/(?:docs|pages\/css)\/|\.md$/g, ''),
      readFileSync(join(ROOT, file), 'utf8'),
    ]),
  );

/** Renders the texts in a bundle, because Node runs no JSX. Returns them with the modules that took part. */
async function render(): Promise<{ texts: Record<string, string>; modules: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(ROOT, 'functions/cli/prerender.ts')],
    absWorkingDir: ROOT,
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const { prerender }: typeof import('./prerender.ts') = await import(`data:text/javascript;base64,${code}`);
  // An imported JSON file is named together with its import attributes.
  const modules = Object.keys(metafile.inputs).map((file) => file.replace(/ with \{.*/, ''));
  return { texts: await prerender(sourcesOf()), modules: modules.filter((file) => !file.includes('node_modules/')) };
}

/** Writes a file that differs, in one piece: a running Worker or another build may be reading it. */
function write(file: string, content: string | Uint8Array): void {
  if (existsSync(file) && readFileSync(file).equals(Buffer.from(content))) return;
  mkdirSync(dirname(file), { recursive: true });
  const draft = join(BUILT, randomUUID());
  writeFileSync(draft, content);
  renameSync(draft, file);
}

if (import.meta.main)
  try {
    await buildFrom(readInputs());
  } catch (error) {
    // Node would print the whole bundle above an error that nothing catches.
    console.error(error instanceof Error ? error.message : error);
    if (Object(error).code === 'ERR_MODULE_NOT_FOUND') console.error('Run npm install.');
    process.exitCode = 1;
  }
