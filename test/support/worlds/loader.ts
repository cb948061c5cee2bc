import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const PACKAGE = new URL('../../../package.json', import.meta.url);
/** Stands for the package's file where only its version is imported, as the Worker's bundle does. */
const VERSION = `${PACKAGE.href}?version`;
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };

// The Worker's bundle takes JSX, and single fields of JSON files. Node takes neither.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const isField = resolved.url === PACKAGE.href && context.importAttributes.type === undefined;
    return isField ? { ...resolved, url: VERSION, format: 'module' } : resolved;
  },
  load(url, context, nextLoad) {
    const source = url === VERSION ? `export const version = ${JSON.stringify(version)}` : compiled(url);
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true };
  },
});

function compiled(url: string): string | undefined {
  if (!url.endsWith('.tsx')) return undefined;
  return transformSync(readFileSync(fileURLToPath(url), 'utf8'), {
    loader: 'tsx',
    format: 'esm',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    sourcefile: url,
    sourcemap: 'inline',
  }).code;
}
