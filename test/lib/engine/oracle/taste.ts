import type { Search, SearchedPerson, StandingRule } from '../../../../lib/engine/types.ts';
import { minuteOf, wallAt } from './clock.ts';

// How two people's own rules rate a time by schema/DECISIONS.md, "Standing rules", minute by minute.

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

type Taste = 'rather_not' | 'prefer' | 'not_preferred' | undefined;

/** Returns how the rules of the requester and of the other person rate a start. */
export function tasteOf({ requester, other, durationMinutes }: Search, start: number): [Taste, Taste] {
  const minutes = Array.from({ length: durationMinutes }, (_, i) => start + i * MINUTE);
  const of = (person: SearchedPerson): Taste => {
    if (minutes.some((minute) => isAbout(person, 'rather_not', minute))) return 'rather_not';
    const likes = (person.standing ?? []).some(({ verdict, blocks }) => verdict === 'prefer' && blocks.length > 0);
    if (!likes) return undefined;
    return minutes.every((minute) => isAbout(person, 'prefer', minute)) ? 'prefer' : 'not_preferred';
  };
  return [of(requester), of(other)];
}
