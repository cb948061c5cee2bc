import { readFileSync, writeFileSync } from 'node:fs';
import { reduceDocument } from './reduce.ts';

/** Google's address for the discovery document, which is public. */
const DOCUMENT = 'https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest';

const [file] = process.argv.slice(2);
const document = JSON.parse(file === undefined ? await (await fetch(DOCUMENT)).text() : readFileSync(file, 'utf8'));
const contract = reduceDocument(document);
writeFileSync(new URL('contract.json', import.meta.url), `${JSON.stringify(contract, null, 1)}\n`);
const { revision, methods, schemas } = contract;
console.log(`Revision ${revision}: ${Object.keys(methods).length} methods, ${Object.keys(schemas).length} schemas.`);
