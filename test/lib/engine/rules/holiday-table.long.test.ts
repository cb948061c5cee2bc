import { expect, test } from 'vitest';
import { keptTable, makeTable } from '../../../holidays/table.ts';

test('the table is what its generator makes of the package, whatever the machine’s release of the zones', () => {
  const kept = keptTable();
  const { first, last, names, places } = makeTable(Number(kept.first.slice(0, 4)));
  expect({ first, last, names, places }).toEqual({
    first: kept.first,
    last: kept.last,
    names: kept.names,
    places: kept.places,
  });
});
