import type { Child } from 'hono/jsx';
import type { Interval } from '../../../lib/engine/types.ts';
import { Form, Submit, TextField } from '../components.tsx';
import { beside, onClock, type Seen, type Typed, zoneField } from './frame.tsx';

export const LONGEST_REASON = 1_000;

export type TypedReason = Extract<Typed, { field: 'reason' }> | undefined;

type ReasonProps = { typed: TypedReason; id?: string; label: string; hint: Child };

/** Keeps what was typed. `id` is needed where a page has several boxes. */
export const ReasonField = ({ typed, id = 'reason', label, hint }: ReasonProps) => (
  <TextField
    {...{ id, label, hint, error: typed?.error, text: typed?.text ?? '' }}
    name="reason"
    rows={3}
    maxlength={LONGEST_REASON}
    autofocus={typed?.error !== undefined}
  />
);

/** Returns the fields that a form about the meeting sends, so that it changes only the meeting that the person saw. */
export const fieldsOfMove = (seen: Seen, start: number) => ({
  answer: 'move',
  seen: String(start),
  ...zoneField(seen),
});

interface Fold {
  /** Browsers keep only one of the details of a group open. */
  group: string;
  action: string;
  fields: Record<string, string | undefined>;
}

interface Props extends Fold {
  id?: string;
  /** Names the meeting to screen readers where a page has several. */
  about?: string;
  hint: string;
  button: string;
  typed?: TypedReason;
  children?: Child;
}

export const AnotherTime = ({ id = 'reason', about, group, action, fields, hint, button, typed, children }: Props) => (
  <details class="offer none" name={group} open={typed !== undefined}>
    <summary>
      <span>Propose another time{about === undefined ? null : <span class="hidden"> for {about}</span>}</span>
    </summary>
    <Form action={action} fields={fields}>
      <ReasonField id={id} label="When would suit you?" hint={hint} typed={typed} />
      <button type="submit">{button}</button>
    </Form>
    {children}
  </details>
);

type CancelProps = Fold & { summary: Child; children: Child };

export const CancelMeeting = ({ group, summary, action, fields, children }: CancelProps) => (
  <details class="offer none" name={group}>
    <summary>
      <span>{summary}</span>
    </summary>
    <Form action={action} fields={fields}>
      <p>{children}</p>
      <Submit kind="danger">Cancel the meeting</Submit>
    </Form>
  </details>
);

export interface Instead {
  times: Interval[];
  text: string;
}

interface FreeTimesProps extends Omit<Fold, 'group'> {
  times: Interval[];
  zone: string;
  theirZone?: string | undefined;
  /** The person to whom the button offers the times, as it names them: "me ". Empty for both people. */
  to: 'me ' | '';
}

export const FreeTimes = ({ times, zone, theirZone, action, fields, to }: FreeTimesProps) =>
  times.length === 0 ? null : (
    <Form action={action} class="instead" fields={fields}>
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
    </Form>
  );

const fieldsOf = (seen: Seen) =>
  seen.state.kind === 'meeting'
    ? fieldsOfMove(seen, seen.state.meeting.start)
    : { answer: 'counter', ...zoneField(seen) };

export const NearestTimes = ({ seen, times, text }: { seen: Seen } & Instead) => (
  <FreeTimes
    {...{ times, zone: seen.zone, theirZone: seen.requesterTimeZone, action: seen.path, to: 'me ' }}
    fields={{ reason: text, ...fieldsOf(seen) }}
  />
);
