import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BrowserServer, chromium } from 'playwright-core';
import type { TestProject } from 'vitest/node';
import packageJson from '../../../package.json' with { type: 'json' };

declare module 'vitest' {
  interface ProvidedContext {
    chromium: string;
  }
}

const OWN = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const PACKAGED = packageJson.devDependencies['@sparticuz/chromium'];
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/tandem', import.meta.url));

let server: BrowserServer;

/** Starts one Chromium for all test workers. Fails the run if no Chromium is found. */
export async function setup({ provide }: TestProject): Promise<void> {
  const { path, env } = await findChromium();
  server = await chromium.launchServer({
    executablePath: path,
    // The pages come from this machine's own Worker. Chromium has no sandbox as root in a container.
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
    env: { ...process.env, ...env },
  });
  provide('chromium', server.wsEndpoint());
}

export const teardown = () => server?.close();

/** Finds the machine's own Chromium, or else the one from npm. `CHROMIUM_PATH` names another, or `npm` for npm's. */
async function findChromium(): Promise<{ path: string; env?: Record<string, string> }> {
  const named = process.env.CHROMIUM_PATH;
  const own = named === 'npm' ? undefined : (named ?? OWN.find(existsSync));
  if (own === undefined) return unpacked();
  if (!existsSync(own)) throw new Error(`There is no Chromium at ${own}, which CHROMIUM_PATH names.`);
  return { path: own };
}

/** Unpacks the package's Chromium with its fonts and libraries, once. A failed unpacking leaves no partial folder. */
async function unpacked() {
  const folder = join(CACHE, `chromium-${PACKAGED}`);
  if (!existsSync(folder)) {
    await mkdir(CACHE, { recursive: true });
    const draft = await mkdtemp(join(CACHE, 'chromium-'));
    const former = process.env.TMPDIR;
    try {
      // The package unpacks into the current folder for temporary files.
      process.env.TMPDIR = draft;
      const { default: packaged, inflate } = await import('@sparticuz/chromium');
      await packaged.executablePath();
      await inflate(join(CACHE, '../../@sparticuz/chromium/bin/al2023.tar.br'));
    } finally {
      if (former === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = former;
    }
    await rename(draft, folder).catch(() => rm(draft, { recursive: true }));
  }
  const libraries = [process.env.LD_LIBRARY_PATH, join(folder, 'al2023/lib')].filter((path) => path !== undefined);
  return {
    path: join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: libraries.join(':'),
      ...(existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: join(folder, 'fonts') }),
      HOME: process.env.HOME ?? tmpdir(),
    },
  };
}
