import { describes, Field, HiddenFields } from '../components.tsx';
import { type Seen, type Typed, zoneField } from './frame.tsx';
import { beside, onClock } from './times.ts';

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
