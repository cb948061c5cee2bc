import { formatInZone } from '../../../lib/engine/time/zone.ts';
import type { Interval } from '../../../lib/engine/types.ts';
import { asRead } from '../clock.tsx';
import { HiddenFields } from '../components.tsx';
import { type Seen, zoneField } from './frame.tsx';
import { zoneTitle } from './times.ts';

/** Hours of the day between which a meeting must lie so that it does not count as early, late or at night. */
const [FROM_HOUR, TO_HOUR] = [7, 21];

/** Returns true if a time lies early in the morning, late in the evening or at night in a time zone. */
function isAtNight({ start, end }: Interval, timeZone: string): boolean {
  const from = formatInZone(timeZone, start);
  const to = formatInZone(timeZone, end);
  const hour = Number(from.slice(11, 13));
  const until = Number(to.slice(11, 13)) + Number(to.slice(14, 16)) / 60;
  return hour < FROM_HOUR || hour >= TO_HOUR || from.slice(0, 10) !== to.slice(0, 10) || until > TO_HOUR;
}

/** All times are early, late or at night for the viewer. Shows nothing if Tandem only guesses their zone. */
export function AllAtNight({ seen, times }: { seen: Seen; times: readonly Interval[] }) {
  const { path, zone, isZoneGiven, state } = seen;
  const mayAsk = state.kind === 'open' && state.mayCounter;
  if (!isZoneGiven || !mayAsk || times.length === 0 || !times.every((time) => isAtNight(time, zone))) return null;
  const hours = `${asRead('8:00')} and ${asRead('20:00')}`;
  return (
    <form method="post" action={path} class="own-calendar">
      <HiddenFields fields={{ answer: 'counter', reason: `Between ${hours}`, ...zoneField(seen) }} />
      <p>
        {times.length === 1 ? 'This time is' : 'All of these times are'} early or late in{' '}
        <strong>{zoneTitle(zone)}</strong>.
      </p>
      <button type="submit" class="quiet">
        Find times between {hours}
      </button>
    </form>
  );
}
