// Records what production may serve from now on: the packed client and the contract. Run: npm run release
import { writeFileSync } from 'node:fs';
import { findChanged, hashOf, RELEASED, readReleased, VERSION } from '../../lib/client/released.ts';
import { currentContract, findBroken, keepContract, releasedContract } from './contract.ts';

const released = readReleased();
const hash = hashOf(VERSION);
const contract = currentContract();
const obstacles = [
  ...findChanged(released),
  ...(hash === undefined ? [`The client ${VERSION} is not packed. Run npm run client:pack.`] : []),
  ...findBroken(releasedContract(), contract),
];
for (const obstacle of obstacles) console.error(obstacle);
if (obstacles.length > 0 || hash === undefined) process.exitCode = 1;
else {
  const lines = [...released.set(VERSION, hash)].map(([version, its]) => `${version} ${its}\n`);
  writeFileSync(RELEASED, lines.join(''));
  keepContract(contract);
  console.log(
    `The client ${VERSION} and today's contract are released. Commit lib/client/released.txt and the contract.`,
  );
}
