import type { Interval } from '../../../lib/engine/types.ts';
import { HiddenFields } from '../components.tsx';
import { fieldsOfMove } from './another-time.tsx';
import { type Seen, zoneField } from './frame.tsx';
import { beside, onClock } from './times.ts';

/** Free times that a person can ask for in place of a proposal's times. */
export interface Instead {
  times: Interval[];
  /**
   * Text in which the person asked for other times, to which these times are the answer. Empty if the person wrote
   * none.
   */
  text: string;
}

const fieldsOf = (seen: Seen) =>
  seen.state.kind === 'meeting'
    ? fieldsOfMove(seen, seen.state.meeting.start)
    : { answer: 'counter', ...zoneField(seen) };

/** Shows free times that are not reserved yet, with a button that reserves them and offers them in a new proposal. */
export function NearestTimes({ seen, times, text }: { seen: Seen } & Instead) {
  const { path, zone, requesterTimeZone } = seen;
  if (times.length === 0) return null;
  const isOne = times.length === 1;
  return (
    <form method="post" action={path} class="instead">
      <HiddenFields fields={{ reason: text, ...fieldsOf(seen) }} />
      <ul>
        {times.map((time) => {
          const { date, hours } = onClock(time, zone);
          const theirs = beside(time.start, requesterTimeZone, zone);
          return (
            <li>
              <input type="hidden" name="start" value={String(time.start)} />
              <strong>{date}</strong>, {hours}
              {theirs === undefined ? null : <span class="muted small"> ({theirs})</span>}
            </li>
          );
        })}
      </ul>
      <button type="submit">{isOne ? 'Offer me this time instead' : 'Offer me these times instead'}</button>
    </form>
  );
}
