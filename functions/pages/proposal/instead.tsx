import type { Interval } from '../../../lib/engine/types.ts';
import { HiddenFields } from '../components.tsx';
import { fieldsOfMove } from './another-time.tsx';
import { type Seen, zoneField } from './frame.tsx';
import { beside, onClock } from './times.ts';

/** Free times that a person can ask for in place of a proposal's times. */
export interface Instead {
  times: Interval[];
  /** Empty if the person wrote none. */
  text: string;
}

interface FreeTimesProps {
  times: Interval[];
  /** IANA time zone in which the times are shown. */
  zone: string;
  /** The other person's time zone, to show their clock too. */
  theirZone?: string | undefined;
  action: string;
  fields: Record<string, string | undefined>;
  /** The person to whom the button offers the times, as it names them: "me ". Empty for both people. */
  to: 'me ' | '';
}

/** Lists free times that are not reserved yet, with a button that reserves them and offers them in a new proposal. */
export const FreeTimes = ({ times, zone, theirZone, action, fields, to }: FreeTimesProps) =>
  times.length === 0 ? null : (
    <form method="post" action={action} class="instead">
      <HiddenFields fields={fields} />
      <strong>{times.length === 1 ? 'Another free time:' : 'Other free times:'}</strong>
      <ul>
        {times.map((time) => {
          const { date, hours } = onClock(time, zone);
          const theirs = beside(time.start, theirZone, zone);
          return (
            <li>
              <input type="hidden" name="start" value={String(time.start)} />
              <strong>{date}</strong>, {hours}
              {theirs === undefined ? null : <span class="muted small"> ({theirs})</span>}
            </li>
          );
        })}
      </ul>
      <button type="submit">
        Offer {to}
        {times.length === 1 ? 'this time' : 'these times'} instead
      </button>
    </form>
  );

const fieldsOf = (seen: Seen) =>
  seen.state.kind === 'meeting'
    ? fieldsOfMove(seen, seen.state.meeting.start)
    : { answer: 'counter', ...zoneField(seen) };

/** Shows the person at a proposal's page the free times that they can ask for. */
export const NearestTimes = ({ seen, times, text }: { seen: Seen } & Instead) => (
  <FreeTimes
    {...{ times, zone: seen.zone, theirZone: seen.requesterTimeZone, action: seen.path, to: 'me ' }}
    fields={{ reason: text, ...fieldsOf(seen) }}
  />
);
