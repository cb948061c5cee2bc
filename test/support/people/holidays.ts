import { holidaysIn } from '../../../lib/engine/rules/holiday-table.ts';
import { DAY, formatDate, sayDate, weekdayIndex } from '../../../lib/engine/time/dates.ts';
import { holidayName } from '../../../lib/words/holiday-name.ts';
import { world } from '../worlds/world.ts';

/** Makes test people keep the holidays of their zone's country, as everybody does who set nothing. */
export async function keepHolidays(...people: { email: string }[]): Promise<void> {
  for (const { email } of people)
    await world.neon.query("update users set preferences = preferences - 'holidays' where email = $1", [email]);
}

/** Makes a person keep the holidays of a place, as if they had set it. */
export const keepHolidaysOf = (place: string, { email }: { email: string }) =>
  world.neon.query('update users set preferences = preferences || $1::jsonb where email = $2', [
    JSON.stringify({ holidays: place }),
    email,
  ]);

/** Places enough that one of them has a holiday soon, whatever the day. */
const PLACES = ['US', 'GB-ENG', 'DE', 'JP', 'FR', 'BR', 'IN', 'KR', 'CO', 'PL', 'MX', 'SE'];

/**
 * Returns the first public holiday of any of these places that is at least three days ahead, on a Tuesday to Thursday,
 * and alone in the days around it. `said` and `written` are its date and its name as sentences have them.
 */
export function nextHoliday() {
  const today = Math.floor(world.clock.now() / DAY);
  const all = PLACES.flatMap((place) => {
    const holidays = holidaysIn(place);
    const isAlone = (day: number) => ![-2, -1, 1, 2].some((offset) => holidays.has(day + offset));
    return [...holidays]
      .filter(([, name]) => !name.includes('may move'))
      .filter(([day]) => day >= today + 3 && weekdayIndex(day) > 0 && weekdayIndex(day) < 4 && isAlone(day))
      .map(([day, name]) => ({
        place,
        day,
        name,
        written: holidayName(name),
        date: formatDate(day),
        said: sayDate(formatDate(day)),
      }));
  });
  const [first] = all.sort((a, b) => a.day - b.day);
  if (first === undefined) throw new Error('The table has no such holiday after the world’s clock.');
  return first;
}

/** Returns a place that has no public holiday on this day. */
export const placeWithout = (day: number) => PLACES.find((place) => !holidaysIn(place).has(day)) ?? '';
