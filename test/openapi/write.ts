// Writes the OpenAPI document and the prerendered pages anew: npm run openapi
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { documentText, KEPT } from './document.ts';

// Node runs no JSX, so the program that renders is bundled first.
const { outputFiles } = await build({
  entryPoints: [join(import.meta.dirname, 'pages.ts')],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'node',
  logLevel: 'warning',
});
const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
const { PAGES, pageTexts }: typeof import('./pages.ts') = await import(`data:text/javascript;base64,${code}`);

writeFileSync(KEPT, documentText());
rmSync(PAGES, { recursive: true, force: true });
for (const [path, text] of Object.entries(await pageTexts())) {
  const file = join(PAGES, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
