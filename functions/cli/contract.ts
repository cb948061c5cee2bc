import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractOf, type Kept, readContract } from '../openapi/contract.ts';
import { ASSETS } from './assets.ts';

export const CONTRACT = join(import.meta.dirname, '../../schema/api/contract.txt');

/** Reads the contract of the last release from the file, and takes that of this version from the built document. */
export const currentContract = (): Kept => ({
  released: readContract(readFileSync(CONTRACT, 'utf8')).released,
  now: contractOf(readFileSync(join(ASSETS, 'openapi.json'), 'utf8')),
});
