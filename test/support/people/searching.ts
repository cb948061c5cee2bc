import { DAY } from '../../../lib/engine/time/dates.ts';
import { world } from '../worlds/world.ts';

/** Returns the date of a Wednesday at least two days ahead. */
export function wednesdayAhead(): string {
  let day = Math.floor(world.clock.now() / DAY) + 2;
  while ((day + 4) % 7 !== 3) day++;
  return new Date(day * DAY).toISOString().slice(0, 10);
}
