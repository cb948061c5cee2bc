import { writeFileSync } from 'node:fs';
import { writeContract } from '../openapi/contract.ts';
import { buildAssets } from './assets.ts';
import { readFlags } from './command.ts';
import { CONTRACT, currentContract } from './release.ts';

readFlags("npm run build builds the Worker's static assets, and brings schema/api/contract.txt up to date.");
await buildAssets();
writeFileSync(CONTRACT, writeContract(currentContract()));
