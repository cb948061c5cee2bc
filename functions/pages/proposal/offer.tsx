import { dayBands, localWeek } from '../../../lib/engine/explain/week-bands.ts';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { localDay } from '../../../lib/engine/time/zone.ts';
import { capitalized } from '../../../lib/words/people.ts';
import { describes, Field, HiddenFields } from '../components.tsx';
import { Drawing } from '../week/day.tsx';
import { marksOn, type WeekLane } from '../week/lanes.ts';
import { Legend } from '../week/legend.tsx';
import { type Seen, type Typed, zoneField } from './frame.tsx';
import { beside, onClock, partOfDay } from './times.ts';

/** The longest name of a guest, in characters. */
export const LONGEST_NAME = 100;

interface Props {
  seen: Seen;
  time: Extract<Seen['state'], { kind: 'open' }>['times'][number];
  typed: Extract<Typed, { field: 'name' }> | undefined;
  /** Undefined if Tandem did not read the calendar. */
  isFree?: boolean | undefined;
}

/** Shows one time of a proposal. A tap on it opens the form with which the person accepts it. */
export function Offer({ seen, time, typed, isFree }: Props) {
  const { date, hours } = onClock(time, seen.zone);
  const theirs = beside(time.start, seen.requesterTimeZone, seen.zone);
  return (
    <details class="offer" name="offer" open={typed !== undefined}>
      <summary>
        <span>
          <strong>{date}</strong>
          <span class="hours">{hours}</span>
          {theirs === undefined ? null : <span class="muted small">{theirs}</span>}
          {theirs === undefined ? null : <BothClocks seen={seen} time={time} />}
          {isFree === undefined ? null : (
            <span class={isFree ? 'small free' : 'small'}>
              {isFree ? 'Free in your calendar' : 'Busy in your calendar'}
            </span>
          )}
        </span>
      </summary>
      <form method="post" action={seen.path}>
        <HiddenFields fields={{ answer: 'accept', time: time.id, ...zoneField(seen) }} />
        {seen.proposal.isOtherConnected ? null : <NameField seen={seen} time={time.id} typed={typed} />}
        <p>
          The calendar invitation goes to <strong>{seen.proposal.otherEmail}</strong>.
        </p>
        <button type="submit">
          Confirm<span class="hidden">{` ${date}, ${hours}`}</span>
        </button>
      </form>
    </details>
  );
}

/** Returns the time between day and night on both clocks. Of the requester's, it shows no more than the zone. */
function drawn({ seen: { zone, requesterTimeZone: theirs = zone }, time }: Pick<Props, 'seen' | 'time'>) {
  const days = localWeek(zone, localDay(zone, time.start)).slice(0, 1);
  const lanes: WeekLane[] = [
    { name: 'Yours', timeZone: zone, bands: dayBands(zone, days), ruler: 'above' },
    { name: 'Theirs', timeZone: theirs, bands: dayBands(theirs, days), ruler: 'below' },
  ];
  const name = `${capitalized(partOfDay(time.start, zone))}, ${partOfDay(time.start, theirs)}`;
  return { days, lanes, name, marks: marksOn(days, time, { kind: 'offered', sign: '', title: 'The offered time' }) };
}

function BothClocks({ seen, time }: Pick<Props, 'seen' | 'time'>) {
  const { days, lanes, ...about } = drawn({ seen, time });
  return days.map((day) => (
    <Drawing
      {...{ day, lanes, ...about, index: 0, id: time.id, changes: [], longest: (day.end - day.start) / MINUTE }}
      bands={lanes.flatMap(({ bands }) => bands)}
    />
  ));
}

/** Explains the drawn days of a proposal's times. Shows nothing if none is drawn, because both clocks show the same. */
export function DayLegend({ seen, times }: Pick<Props, 'seen'> & { times: Props['time'][] }) {
  const time = times.find(({ start }) => beside(start, seen.requesterTimeZone, seen.zone) !== undefined);
  return time && <Legend {...drawn({ seen, time })} />;
}

function NameField({ seen, time, typed }: { seen: Seen; time: string; typed: Props['typed'] }) {
  const id = `name-${time}`;
  return (
    <Field id={id} label="Your name" error={typed?.error}>
      <input
        {...describes({ id, error: typed?.error })}
        name="name"
        autocomplete="name"
        maxlength={LONGEST_NAME}
        required
        autofocus={typed !== undefined}
        value={typed?.text ?? seen.proposal.guestName ?? ''}
      />
    </Field>
  );
}
