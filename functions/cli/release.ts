// Records what production may serve from now on: the built client and the contract. Run: npm run release
import { writeFileSync } from 'node:fs';
import { findBroken, writeContract } from '../openapi/contract.ts';
import { buildAssets } from './assets.ts';
import { CONTRACT, currentContract } from './contract.ts';
import { changed, hashOf, RELEASED, readReleased, VERSION } from './released.ts';

await buildAssets();
const { released, now } = currentContract();
const clients = readReleased();
const hash = hashOf(VERSION) ?? '';
const obstacles = findBroken(released, now);
if (clients.has(VERSION) && clients.get(VERSION) !== hash) obstacles.push(changed(VERSION));
for (const obstacle of obstacles) console.error(obstacle);
if (obstacles.length > 0) process.exitCode = 1;
else {
  const lines = [...clients.set(VERSION, hash)].map(([version, its]) => `${version} ${its}\n`);
  writeFileSync(RELEASED, lines.join(''));
  writeFileSync(CONTRACT, writeContract({ released: now, now }));
  console.log(
    `The client ${VERSION} and today's contract are released. Commit lib/client/released.txt and the contract.`,
  );
}
