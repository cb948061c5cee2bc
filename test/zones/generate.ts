import { writeFileSync } from 'node:fs';
import { readFlags } from '../../functions/cli/command.ts';
import { KEPT, keptTable, makeTable } from './table.ts';

const USAGE = `npm run zones:generate [-- --check] writes the table of time zones anew, from last year on.

--check writes nothing, and fails if the package has another release, or other zones, than the table.`;
if (readFlags(USAGE, { check: { type: 'boolean' } }).values.check) {
  const kept = keptTable();
  const made = makeTable(Number(kept.first.slice(0, 4)));
  const isSame = JSON.stringify(made) === JSON.stringify(kept);
  console.log(
    isSame
      ? `The table has release ${kept.release}, as the package does.`
      : `The table has release ${kept.release}, and the package has ${made.release}: run npm run zones:generate.`,
  );
  process.exitCode = isSame ? 0 : 1;
} else {
  const table = makeTable(new Date().getUTCFullYear() - 1);
  writeFileSync(KEPT, `${JSON.stringify(table, null, 2)}\n`);
  console.log(`Wrote the time zones of ${table.release} from ${table.first} to ${table.last}.`);
}
