import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

/**
 * Bundles the module that exports `worker` into one ES module with a default export, as wrangler would. The bundle is
 * either minified, as when deployed, or has readable stack traces.
 */
export async function bundleWorker(entry: string, { minify = false } = {}): Promise<string> {
  const result = await build({
    stdin: { contents: `export { worker as default } from ${JSON.stringify(entry)}`, resolveDir: dirname(entry) },
    bundle: true,
    write: false,
    format: 'esm',
    target: 'es2024',
    platform: 'neutral',
    mainFields: ['browser', 'module', 'main'],
    conditions: ['workerd', 'worker', 'browser'],
    alias: aliases(),
    external: ['node:*', 'cloudflare:*'],
    define: { 'process.env.NODE_ENV': '"production"' },
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx',
    minify,
    logLevel: 'warning',
  });
  const [output] = result.outputFiles;
  if (output === undefined) throw new Error('the bundle is empty');
  return output.text;
}

/** Returns the modules that wrangler.toml puts in place of packages' modules, keyed by name. */
export function aliases(): Record<string, string> {
  const root = new URL('../../', import.meta.url);
  const toml = readFileSync(new URL('wrangler.toml', root), 'utf8');
  const [, table] = /^\[alias\]\n((?:".+" = ".+"\n)+)/m.exec(toml) ?? [];
  if (table === undefined) throw new Error('wrangler.toml has no table of aliases');
  return Object.fromEntries(
    Array.from(table.matchAll(/"(.+)" = "(.+)"/g), ([, name = '', file = '']) => [
      name,
      fileURLToPath(new URL(file, root)),
    ]),
  );
}
