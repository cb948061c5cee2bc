import type { Child } from 'hono/jsx';
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
  /** The box's own on the page. */
  id?: string;
  /** Names the meeting to screen readers where a page has several. */
  about?: string;
  /** Browsers keep only one of the details of a group open. */
  group: string;
  action: string;
  fields: Record<string, string | undefined>;
  hint: string;
  button: string;
  typed?: TypedReason;
  children?: Child;
}

/** Lets a person say when they would rather meet. The meeting stays as it is until another time is chosen. */
export const AnotherTime = ({ id = 'reason', about, group, action, fields, hint, button, typed, children }: Props) => (
  <details class="offer none" name={group} open={typed !== undefined}>
    <summary>
      <span>Propose another time{about === undefined ? null : <span class="hidden"> for {about}</span>}</span>
    </summary>
    <form method="post" action={action}>
      <HiddenFields fields={fields} />
      <Field id={id} label="When would suit you?" hint={hint} error={typed?.error}>
        <ReasonBox id={id} typed={typed} />
      </Field>
      <button type="submit">{button}</button>
    </form>
    {children}
  </details>
);
