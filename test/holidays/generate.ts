// Writes the table of public holidays anew, for this year and the next three: npm run holidays:generate
import { writeFileSync } from 'node:fs';
import { KEPT, makeTable } from './table.ts';

const table = makeTable(Number(process.argv[2] ?? new Date().getUTCFullYear()));
writeFileSync(KEPT, `${JSON.stringify(table, null, 2)}\n`);
console.log(`Wrote the public holidays from ${table.first} to ${table.last}.`);
