// Packs the client for people to install by URL, into the Worker's static assets: npm run client:pack
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKED, readReleased, VERSION } from './released.ts';
import { fingerprint } from './sources.ts';

if (readReleased().has(VERSION)) {
  process.stderr.write(
    `The client ${VERSION} is released, so its package never changes. Raise the version in lib/client/package.json first.\n`,
  );
  process.exit(1);
}
mkdirSync(PACKED, { recursive: true });
execFileSync('npm', ['pack', import.meta.dirname, '--pack-destination', PACKED], { stdio: 'inherit' });
writeFileSync(join(import.meta.dirname, 'packed.txt'), `${fingerprint()}\n`);
