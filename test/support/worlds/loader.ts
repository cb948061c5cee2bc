import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'esbuild';

const PACKAGE = new URL('../../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };

// The Worker's bundle takes JSX, and the package's version alone; Node takes neither.
registerHooks({
  load(url, context, nextLoad) {
    const isVersion = url === PACKAGE.href && context.importAttributes.type === undefined;
    const source = isVersion ? `export const version = ${JSON.stringify(version)}` : moduleOf(url);
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true };
  },
});

function moduleOf(url: string): string | undefined {
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
