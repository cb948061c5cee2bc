import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { contractOf, findBroken, type Kept, readContract, writeContract } from '../openapi/contract.ts';
import { ASSETS, buildAssets, packagePath } from './assets.ts';
import { readFlags } from './command.ts';

export const CONTRACT = join(import.meta.dirname, '../../schema/api/contract.txt');

export const currentContract = (): Kept => ({
  released: readContract(readFileSync(CONTRACT, 'utf8')).released,
  now: contractOf(readFileSync(join(ASSETS, 'openapi.json'), 'utf8')),
});

/** File with a line for each released version of the client: the version and the SHA-256 of its package. */
const RELEASED = join(import.meta.dirname, '../../lib/client/released.txt');
export const { version: VERSION } = packageJson;
const SERVED_MS = 10_000;

export const readReleased = (text = readFileSync(RELEASED, 'utf8')): Map<string, string> =>
  new Map(text.split('\n').flatMap((line) => (line === '' ? [] : [line.split(' ') as [string, string]])));

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

export function hashOf(version: string, assets = ASSETS): string | undefined {
  const file = join(assets, packagePath(version));
  return existsSync(file) ? sha256(readFileSync(file)) : undefined;
}

interface Production {
  /** Its address, whose clients must stay what they are. */
  baseUrl: string;
  version?: string;
  assets?: string;
  ask?: typeof fetch;
}

/** Takes them from production. Returns what stands in the way: a client that was changed, or cannot be had. */
export async function carryReleased(
  released: Map<string, string>,
  { baseUrl, version = VERSION, assets = ASSETS, ask = fetch }: Production,
): Promise<string[]> {
  const built = hashOf(version, assets) ?? '';
  if ((released.get(version) ?? built) !== built) return [changed(version)];
  const obstacles: string[] = [];
  for (const [each, hash] of new Map(released).set(version, built)) {
    if (each !== version && hashOf(each, assets) === hash) continue;
    const path = packagePath(each);
    const url = `${baseUrl}/${path}`;
    const served = await readServed(url, ask);
    const isWhole = served instanceof Uint8Array && sha256(served) === hash;
    const isNew = each === version && served === undefined;
    if (isWhole && each !== version) keep(join(assets, path), served);
    if (!isWhole && !isNew) obstacles.push(sayObstacle(each, url, served, each === version));
  }
  return obstacles;
}

function keep(file: string, bytes: Uint8Array): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
}

function sayObstacle(version: string, url: string, served: unknown, isBuilt: boolean): string {
  if (served instanceof Error) return `${url} cannot be read (${served.message}). Try again.`;
  if (isBuilt) return changed(version);
  return `The released client ${version} is not at ${url}. Customers install it by its address: put it into .build/assets/${packagePath(version)}.`;
}

const changed = (version: string) =>
  `The client ${version} is released, and this code builds another one. Raise the version in package.json and lib/client/package.json.`;

/** Returns undefined if nothing is there, also because nothing was deployed yet. */
async function readServed(url: string, ask: typeof fetch): Promise<Uint8Array | Error | undefined> {
  try {
    const response = await ask(url, { signal: AbortSignal.timeout(SERVED_MS) });
    if (response.status === 404) return undefined;
    return response.ok ? new Uint8Array(await response.arrayBuffer()) : new Error(`HTTP ${response.status}`);
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOTFOUND') return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
}

export function release(): void {
  const { now } = currentContract();
  const lines = [...readReleased().set(VERSION, hashOf(VERSION) ?? '')].map(([version, its]) => `${version} ${its}\n`);
  writeFileSync(RELEASED, lines.join(''));
  writeFileSync(CONTRACT, writeContract({ released: now, now }));
  console.log(
    `The client ${VERSION} and today's contract are released. Commit lib/client/released.txt and schema/api/contract.txt.`,
  );
}

if (import.meta.main) {
  readFlags(
    'npm run release records the built client and the contract as released, as npm run deploy does at its end.',
  );
  await buildAssets();
  const { released, now } = currentContract();
  const obstacles = findBroken(released, now);
  if ((readReleased().get(VERSION) ?? hashOf(VERSION)) !== hashOf(VERSION)) obstacles.push(changed(VERSION));
  for (const obstacle of obstacles) console.error(obstacle);
  if (obstacles.length > 0) process.exitCode = 1;
  else release();
}
