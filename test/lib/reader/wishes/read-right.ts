import { expect } from 'vitest';
import { askedTime } from '../../../../lib/engine/move/reschedule-choices.ts';
import { DAY } from '../../../../lib/engine/time/dates.ts';
import type { Wish } from '../../../../lib/engine/wish/wish.ts';
import { bendOf, partsOf } from '../../../../lib/engine/wish/wish-parts.ts';
import { readByRules } from '../../../../lib/reader/rules/read.ts';
import { type Asker, calendarOf } from '../../../../lib/reader/wish/asker.ts';
import { wishOf } from '../../../../lib/reader/wish/wish-of.ts';
import { placeOf } from '../../../reading/place.ts';
import { askerOf, expectedOf, TABLE } from './expected.ts';

// The sentences in this folder are the ones that earlier rules were written from, so they say nothing of how sentences
// are read that nobody here has seen. They hold the rules to what they once could. A sentence is read right if the meeting then
// lies where the wish that a person noted for it would have put it, or at a time that meets that wish as well.

/** Sentences that the rules no longer claim to understand, or read otherwise on purpose. */
export const KNOWN = new Set([
  "I'm not ready yet",
  'earlier this week?',
  "10:00 doesn't work, 11:00 would",
  'Monday is a holiday here, Wednesday after 2?',
  'Can we make it a Friday thing?',
  'The train strike makes Tuesday impossible',
  "it's a public holiday in Spain on Tuesday",
  'I finish at 3 on Thursdays',
  'mornings r better 4 me',
  'the deck isnt ready',
  'tusday doesnt work anymore, thrusday?',
  'late friday if possible',
  "Wednesday doesn't work, Thursday does",
  'why is this always at 10, I said afternoons only',
  'Would love to keep it but the plumber is coming between 9 and 12',
  'between ten thirty and noon',
  // The note counts this "week after" from the meeting's week. It is counted from the week that is refused.
  'I am on PTO all next week, the week after works',
  // The note leaves the meeting alone, although it is at 10 too.
  'the cat is ill and the vet can only see us at 10',
]);

export type Row = (typeof TABLE)[number];

/** How much the time to which the engine moves the meeting bends the wish that a person noted, in excess of its own best. */
function excessBend(asker: Asker, wish: Wish, noted: Wish): number {
  const today = Math.floor(asker.now / DAY);
  const old = askedTime(asker.timeZone, { start: asker.oldStart, end: asker.oldEnd });
  const parts = partsOf(noted, old, asker.timeZone, { first: today - 3, last: today + 120 });
  const bend = ({ place }: ReturnType<typeof placeOf>) =>
    place === undefined ? Number.POSITIVE_INFINITY : bendOf(parts, askedTime(asker.timeZone, place));
  return bend(placeOf(asker, wish)) - bend(placeOf(asker, noted));
}

/** The sentences that the rules must read as the person who noted the wish did. */
export const CLAIMED = TABLE.filter(({ text }) => !KNOWN.has(text)).map((row): [string, Row] => [row.text, row]);

/** Checks that a sentence is read as a wish that moves the meeting to as good a time as the noted one. */
export function expectToBeReadRight(text: string, { scene, said }: Row): void {
  const asker = askerOf(scene);
  // A break asks for no time. It says only that comfort counts.
  const { pause: _, ...wish } = wishOf(readByRules(text, calendarOf(asker)), asker);
  const noted = expectedOf(scene, said);
  if (Object.keys(noted).length === 0) expect(wish).toEqual({});
  else {
    expect(Object.keys(wish)).not.toEqual([]);
    expect(excessBend(asker, wish, noted)).toBeLessThanOrEqual(1e-9);
  }
}
