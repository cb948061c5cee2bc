import type { Search, SearchedPerson, StandingRule } from '../../../../lib/engine/types.ts';
import { minuteOf, wallAt } from './clock.ts';

// How two people's own rules order equally good times by schema/DECISIONS.md, "Standing rules", minute by minute.

const MINUTE = 60_000;

/** Returns true if a person's clock shows, at this minute, a time that a rule of this verdict is about. */
export function isAbout({ timeZone, standing = [] }: SearchedPerson, verdict: StandingRule['verdict'], minute: number) {
  const wall = wallAt(timeZone, minute);
  return standing.some(
    (rule) =>
      rule.verdict === verdict &&
      rule.blocks.some(
        ({ day, start, end }) => day === wall.weekday && wall.minute >= minuteOf(start) && wall.minute < minuteOf(end),
      ),
  );
}

/** Returns how many people would rather not have a start, and how many of the others prefer it. */
export function tasteOf(
  { requester, other, durationMinutes }: Search,
  start: number,
): { against: number; for: number } {
  const minutes = Array.from({ length: durationMinutes }, (_, i) => start + i * MINUTE);
  const against = [requester, other].filter((person) =>
    minutes.some((minute) => isAbout(person, 'rather_not', minute)),
  );
  const inFavor = [requester, other].filter(
    (person) => !against.includes(person) && minutes.every((minute) => isAbout(person, 'prefer', minute)),
  );
  return { against: against.length, for: inFavor.length };
}

/** Returns the numbers by which taste orders equals, the lower first. */
export function tasteOrder(search: Search, start: number): [against: number, notFor: number] {
  const taste = tasteOf(search, start);
  return [taste.against, -taste.for];
}
