import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';

// Builds the package's JavaScript and declarations from the sources. Only types.ts is replaced: its names are generated
// from the OpenAPI document, because users of the package have neither zod nor the contract.

const here = import.meta.dirname;
const lib = join(here, '..');
const dist = join(here, 'dist');
const sources = mkdtempSync(join(tmpdir(), 'tandem-client-'));

try {
  rmSync(dist, { recursive: true, force: true });
  for (const file of globSync(
    [
      'client/{tandem,requests,call,errors}.ts',
      'client/cli/*.ts',
      'webhooks/{verify,delivery-headers}.ts',
      'kit/hmac.ts',
    ],
    {
      cwd: lib,
    },
  ))
    cpSync(join(lib, file), join(sources, file));
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
  writeFileSync(join(sources, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(sources, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
  execFileSync(process.execPath, [join(here, 'node_modules/typescript/bin/tsc'), '-p', sources], { stdio: 'inherit' });
} finally {
  rmSync(sources, { recursive: true });
}

/** Generates TypeScript declarations of the OpenAPI document's named schemas, under the same names. */
async function typesFromDocument(): Promise<string> {
  const { paths: _, webhooks: __, ...named } = JSON.parse(readFileSync(join(lib, '../schema/openapi.json'), 'utf8'));
  const declared = astToString(await openapiTS({ ...named, paths: {} }, { defaultNonNullable: false }));
  const names = [...readFileSync(join(here, 'types.ts'), 'utf8').matchAll(/^export type (\w+) =/gm)].map(
    ([, name]) => name,
  );
  return `${declared}\n${names.map((name) => `export type ${name} = components['schemas']['${name}'];\n`).join('')}`;
}
