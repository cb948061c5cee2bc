// Builds the Worker's static assets, and brings schema/api/contract.txt up to date: npm run build
import { writeFileSync } from 'node:fs';
import { writeContract } from '../openapi/contract.ts';
import { buildAssets } from './assets.ts';
import { CONTRACT, currentContract } from './contract.ts';

await buildAssets();
writeFileSync(CONTRACT, writeContract(currentContract()));
