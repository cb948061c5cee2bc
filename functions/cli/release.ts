import { writeFileSync } from 'node:fs';
import { findBroken, writeContract } from '../openapi/contract.ts';
import { buildAssets } from './assets.ts';
import { readFlags } from './command.ts';
import { CONTRACT, changed, currentContract, hashOf, RELEASED, readReleased, VERSION } from './released.ts';

export function release(): void {
  const { now } = currentContract();
  const lines = [...readReleased().set(VERSION, hashOf(VERSION) ?? '')].map(([version, its]) => `${version} ${its}\n`);
  writeFileSync(RELEASED, lines.join(''));
  writeFileSync(CONTRACT, writeContract({ released: now, now }));
  console.log(
    `The client ${VERSION} and today's contract are released. Commit lib/client/released.txt and schema/api/contract.txt.`,
  );
}

if (import.meta.main) {
  readFlags(
    'npm run release records the built client and the contract as released, as npm run deploy does at its end.',
  );
  await buildAssets();
  const { released, now } = currentContract();
  const obstacles = findBroken(released, now);
  if ((readReleased().get(VERSION) ?? hashOf(VERSION)) !== hashOf(VERSION)) obstacles.push(changed(VERSION));
  for (const obstacle of obstacles) console.error(obstacle);
  if (obstacles.length > 0) process.exitCode = 1;
  else release();
}
