import { writeFileSync } from 'node:fs';
import { readFlags } from '../../functions/cli/command.ts';
import { KEPT, makeTable } from './table.ts';

const USAGE =
  'npm run holidays:generate [-- <year>] writes the table of public holidays for this year and the next three.';
const [year = new Date().getUTCFullYear()] = readFlags(USAGE, {}, { words: true }).words;
const table = makeTable(Number(year));
writeFileSync(KEPT, `${JSON.stringify(table, null, 2)}\n`);
console.log(`Wrote the public holidays from ${table.first} to ${table.last}.`);
