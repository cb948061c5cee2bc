import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'fflate';
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { pack } from 'tar-stream';
import { SOURCES } from './sources.ts';

const here = import.meta.dirname;
const LIB = join(here, '..');
const PACKAGES = join(LIB, '../node_modules');
const TSC = join(PACKAGES, 'typescript/bin/tsc');

/** The types that the package has besides one for each named schema. A client tells events apart by `event_type`. */
const OF_ALL = `
type Schemas = components['schemas'];
export interface Answers extends Schemas {}
export interface Bodies extends Schemas {}
export type WebhookEvent = {
  [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'];
}[keyof webhooks];
`;

const ENTRIES = ['tandem', 'webhooks'];

/** Time of every file in the package, the one that npm gives them. */
const MTIME = new Date('1985-10-26T08:15:00Z');

const COMPILER_OPTIONS = {
  target: 'es2022',
  lib: ['es2024', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  declaration: true,
  skipLibCheck: true,
  rewriteRelativeImportExtensions: true,
  types: ['node'],
  typeRoots: [join(PACKAGES, '@types')],
  rootDir: '.',
  outDir: 'dist',
};

/** Types come from the OpenAPI document, because the package has no zod. The same sources make the same bytes. */
export async function packClient(document: OpenAPI3): Promise<Uint8Array> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-client-'));
  try {
    for (const file of globSync(SOURCES, { cwd: LIB })) cpSync(join(LIB, file), join(folder, file));
    writeFileSync(join(folder, 'client/types.ts'), await typesOf(document));
    compile(folder, 'module', { compilerOptions: COMPILER_OPTIONS });
    compile(folder, 'commonjs', {
      compilerOptions: { ...COMPILER_OPTIONS, outDir: 'dist/cjs' },
      files: ENTRIES.map((name) => `client/${name}.ts`),
    });
    writeFileSync(join(folder, 'dist/cjs/package.json'), '{"type":"commonjs"}\n');
    for (const name of ENTRIES) {
      writeFileSync(join(folder, `dist/${name}.cjs`), `module.exports = require('./cjs/client/${name}.js');\n`);
      writeFileSync(join(folder, `dist/${name}.d.cts`), `export * from './cjs/client/${name}.js';\n`);
    }
    const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
    writeFileSync(join(folder, 'dist/package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    cpSync(join(here, 'README.md'), join(folder, 'dist', 'README.md'));
    return await tarball(join(folder, 'dist'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Compiles the sources as modules of one kind, which the nearest package.json tells the compiler. */
function compile(folder: string, type: 'module' | 'commonjs', config: object): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }));
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [TSC, '-p', folder], { stdio: 'inherit' });
}

/** Packs a folder. zlib's bytes differ between processors, and those of fflate do not. */
async function tarball(folder: string): Promise<Uint8Array> {
  const tar = pack();
  const files = globSync('**/*.*', { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.toSorted())
    tar.entry({ name: `package${file.slice(folder.length)}`, mtime: MTIME, mode: 0o644 }, readFileSync(file));
  tar.finalize();
  return gzipSync(await buffer(tar), { level: 9, mtime: 0 });
}

async function typesOf({ openapi, info, components, webhooks }: OpenAPI3): Promise<string> {
  const about = { title: info.title, version: info.version };
  const { schemas, headers } = components ?? {};
  const typed = { openapi, info: about, paths: {}, webhooks, components: { schemas, headers } } as OpenAPI3;
  const declared = astToString(await openapiTS(typed, { defaultNonNullable: false }));
  const named = Object.keys(schemas ?? {}).map((name) => `export type ${name} = components['schemas']['${name}'];\n`);
  return `${declared}\n${named.join('')}${OF_ALL}`;
}
