import { isDeepStrictEqual } from 'node:util';
import type { Behavior, Hand } from './behavior.ts';

/** Numbers of behaviors that are as the table says, that differ, and that could not be played. */
export interface Tally {
  same: number;
  differs: number;
  failed: number;
}

/** Plays behaviors on an account and prints a row for each, with what differs from the table. */
export async function reportBehaviors(
  hand: Hand,
  behaviors: readonly Behavior[],
  print: (line: string) => void,
): Promise<Tally> {
  const tally: Tally = { same: 0, differs: 0, failed: 0 };
  for (const { title, evidence, expected, play } of behaviors) {
    try {
      const got = await play(hand);
      const isSame = isDeepStrictEqual(plain(got), plain(expected));
      tally[isSame ? 'same' : 'differs'] += 1;
      print(`${isSame ? 'same   ' : 'DIFFERS'}  ${title}`);
      if (isSame) continue;
      print(`           expected ${show(expected)}`);
      print(`           got      ${show(got)}`);
      print(`           evidence ${evidence}`);
    } catch (error) {
      tally.failed += 1;
      print(`FAILED   ${title}`);
      print(`           ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const { same, differs, failed } = tally;
  print('');
  print(`${behaviors.length} behaviors: ${same} as the table says, ${differs} differ, ${failed} could not be played.`);
  return tally;
}

const show = (value: unknown) => JSON.stringify(value) ?? 'nothing';

/** Returns a value as JSON keeps it, because a field that is missing and one that is undefined are the same. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');
