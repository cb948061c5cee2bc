import { Field, HiddenFields } from '../components.tsx';
import { type Seen, zoneField } from './frame.tsx';
import { ReasonBox, type TypedReason } from './reason-box.tsx';

/** Returns the fields that a form about the meeting sends, so that it changes only the meeting that the person saw. */
export const fieldsOfMove = (seen: Seen, start: number) => ({
  answer: 'move',
  seen: String(start),
  ...zoneField(seen),
});

interface Props {
  seen: Seen;
  start: number;
  typed?: TypedReason;
}

/** Lets a person say when they would rather meet. The meeting stays as it is until they choose another time. */
export const AnotherTime = ({ seen, start, typed }: Props) => (
  <details class="offer none" name="change" open={typed !== undefined}>
    <summary>
      <span>Propose another time</span>
    </summary>
    <form method="post" action={seen.path}>
      <HiddenFields fields={fieldsOfMove(seen, start)} />
      <Field
        id="reason"
        label="When would suit you?"
        hint="For example “Thursday afternoon” or “a morning next week”. Your meeting stays as it is until you choose another time."
        error={typed?.error}
      >
        <ReasonBox typed={typed} />
      </Field>
      <button type="submit">Find other times</button>
    </form>
  </details>
);
