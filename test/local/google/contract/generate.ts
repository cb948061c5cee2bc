import { readFileSync, writeFileSync } from 'node:fs';
import { readFlags } from '../../../../functions/cli/command.ts';
import { reduceDocument } from './reduce.ts';

const DOCUMENT = 'https://www.googleapis.com/discovery/v1/apis/calendar/v3/rest';

const [file] = readFlags(
  "npm run google:contract [-- <file>] writes contract.json from Google's discovery document, or from a copy of it.",
  {},
  { words: true },
).words;
const document = JSON.parse(file === undefined ? await (await fetch(DOCUMENT)).text() : readFileSync(file, 'utf8'));
const contract = reduceDocument(document);
writeFileSync(new URL('contract.json', import.meta.url), `${JSON.stringify(contract, null, 1)}\n`);
const { revision, methods, schemas } = contract;
console.log(`Revision ${revision}: ${Object.keys(methods).length} methods, ${Object.keys(schemas).length} schemas.`);
