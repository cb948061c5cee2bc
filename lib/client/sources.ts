import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const here = import.meta.dirname;
export const LIB = join(here, '..');

/** Sources of the client's npm package, by patterns of paths below `lib`. */
export const SOURCES = [
  'client/{tandem,requests,waiting,webhooks,call,errors}.ts',
  'client/cli/*.ts',
  'webhooks/{verify,delivery-headers}.ts',
  'kit/hmac.ts',
];

/** Other files that decide what is in the package. */
const RECIPE = ['client/{build,types}.ts', 'client/{README.md,package.json,package-lock.json}'];

/** Returns the part of the OpenAPI document from which the package's types are generated. */
export function typedPart() {
  const { openapi, info, components, webhooks } = JSON.parse(
    readFileSync(join(LIB, '../schema/assets/openapi.json'), 'utf8'),
  );
  const { title, version } = info;
  const { schemas, headers } = components;
  return { openapi, info: { title, version }, paths: {}, webhooks, components: { schemas, headers } };
}

/** Returns a hash of everything that decides what is in the package. It tells whether a packed client is current. */
export function fingerprint(): string {
  const hash = createHash('sha256').update(JSON.stringify(typedPart()));
  for (const file of globSync([...SOURCES, ...RECIPE], { cwd: LIB }).toSorted())
    hash.update(`${file}\n`).update(readFileSync(join(LIB, file)));
  return hash.digest('hex');
}
