import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { LIB, SOURCES, typedPart } from './sources.ts';

// Builds the client's npm package: JavaScript and type declarations from the sources, as modules and for CommonJS. types.ts is replaced by types
// that are generated from the OpenAPI document, because the package has neither zod nor the API's zod schemas.

const here = import.meta.dirname;
const dist = join(here, 'dist');
const sources = mkdtempSync(join(tmpdir(), 'tandem-client-'));

/** Entries of the package, by their names in `client`. */
const ENTRIES = ['tandem', 'webhooks'];
const sourceOf = (name: string) => `client/${name}.ts`;

/** Union of the bodies of all webhook events, which a client tells apart by `event_type`. */
const WEBHOOK_EVENT =
  "{ [Type in keyof webhooks]: webhooks[Type]['post']['requestBody']['content']['application/json'] }[keyof webhooks]";

try {
  rmSync(dist, { recursive: true, force: true });
  for (const file of globSync(SOURCES, { cwd: LIB })) cpSync(join(LIB, file), join(sources, file));
  writeFileSync(join(sources, 'client/types.ts'), await typesFromDocument());
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2024', 'dom', 'dom.iterable'],
    module: 'nodenext',
    strict: true,
    declaration: true,
    skipLibCheck: true,
    rewriteRelativeImportExtensions: true,
    types: ['node'],
    typeRoots: [join(here, '../../node_modules/@types')],
    rootDir: '.',
    outDir: dist,
  };
  compile('module', { compilerOptions });
  const commonjs = { compilerOptions: { ...compilerOptions, outDir: join(dist, 'cjs') }, files: ENTRIES.map(sourceOf) };
  compile('commonjs', commonjs);
  writeFileSync(join(dist, 'cjs/package.json'), JSON.stringify({ type: 'commonjs' }));
  for (const name of ENTRIES) {
    writeFileSync(join(dist, `${name}.cjs`), `module.exports = require('./cjs/client/${name}.js');\n`);
    writeFileSync(join(dist, `${name}.d.cts`), `export * from './cjs/client/${name}.js';\n`);
  }
} finally {
  rmSync(sources, { recursive: true });
}

/** Compiles the sources as modules of one kind, which the nearest package.json tells the compiler. */
function compile(type: 'module' | 'commonjs', config: object): void {
  writeFileSync(join(sources, 'package.json'), JSON.stringify({ type }));
  writeFileSync(join(sources, 'tsconfig.json'), JSON.stringify(config));
  execFileSync(process.execPath, [join(here, 'node_modules/typescript/bin/tsc'), '-p', sources], { stdio: 'inherit' });
}

/** Generates TypeScript declarations of the OpenAPI document's named schemas, under the same names. */
async function typesFromDocument(): Promise<string> {
  const declared = astToString(await openapiTS(typedPart(), { defaultNonNullable: false }));
  const names = [...readFileSync(join(here, 'types.ts'), 'utf8').matchAll(/^export type (\w+) =/gm)].map(
    ([, name]) => name,
  );
  const typeOf = (name: string) => (name === 'WebhookEvent' ? WEBHOOK_EVENT : `components['schemas']['${name}']`);
  return `${declared}\n${names.map((name) => `export type ${name} = ${typeOf(name)};\n`).join('')}`;
}
