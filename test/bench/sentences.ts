import { isDeepStrictEqual } from 'node:util';
import { createTextReader } from '../../lib/adapters/workers-ai.ts';
import { wishFromReason } from '../../lib/learning/wish/wish-from-reason.ts';
import { answerOf, askerOf, expectedOf, TABLE } from '../lib/learning/wishes/expected.ts';

// How many sentences of the table are read as a person would: by the rules alone, and by a model whose answer has the form
// it is asked for and says what that person noted. What a real model would answer is not measured here.

type Row = (typeof TABLE)[number];

const by = async ({ text, scene }: Row, response?: unknown) => {
  const ai = response === undefined ? undefined : { run: async () => ({ response }) };
  return wishFromReason({ reader: createTextReader(ai, () => {}) }, text, askerOf(scene));
};

for (const [name, read] of [
  ['rules', (row: Row) => by(row)],
  ['answers of a model', (row: Row) => by(row, JSON.stringify(answerOf(row.scene, row.said)))],
] as const) {
  const missed: string[] = [];
  for (const row of TABLE) {
    const { closeness, shiftMinutes, ...wish } = await read(row);
    const expected = expectedOf(row.scene, row.said);
    const found = row.said.near === undefined ? wish : { ...wish, closeness };
    if (!isDeepStrictEqual(found, expected))
      missed.push(
        `   ${JSON.stringify(row.text)}\n      ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`,
      );
  }
  console.log(`${name}: ${TABLE.length - missed.length} of ${TABLE.length} sentences exactly`);
  for (const line of missed) console.log(line);
}
