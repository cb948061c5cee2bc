import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { openapiDocument } from '../../functions/openapi.ts';

// The package's JavaScript and declarations: the sources as they are, but for types.ts, whose names are written anew from
// the OpenAPI document, as who uses the package has neither zod nor the contract.

const here = import.meta.dirname;
const lib = join(here, '..');
const dist = join(here, 'dist');
const sources = mkdtempSync(join(tmpdir(), 'tandem-client-'));

try {
  rmSync(dist, { recursive: true, force: true });
  for (const file of globSync(
    ['client/{tandem,call,errors}.ts', 'client/cli/*.ts', 'webhooks/{verify,delivery-headers}.ts', 'hmac.ts'],
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

/** The schemas with a name, as declarations of the same names. */
async function typesFromDocument(): Promise<string> {
  const { paths: _, webhooks: __, ...named } = JSON.parse(JSON.stringify(openapiDocument('https://api.example.com')));
  const declared = astToString(await openapiTS({ ...named, paths: {} }, { defaultNonNullable: false }));
  const names = [...readFileSync(join(here, 'types.ts'), 'utf8').matchAll(/^export type (\w+) =/gm)].map(
    ([, name]) => name,
  );
  return `${declared}\n${names.map((name) => `export type ${name} = components['schemas']['${name}'];\n`).join('')}`;
}
