import { describes } from '../components.tsx';
import type { Typed } from './frame.tsx';

/** Largest number of characters of the text in which a person asks for other times or says why they decline. */
export const LONGEST_REASON = 1_000;

export type TypedReason = Extract<Typed, { field: 'reason' }> | undefined;

/** Keeps what was typed. `id` is needed where a page has several boxes. */
export const ReasonBox = ({ typed, id = 'reason' }: { typed: TypedReason; id?: string }) => (
  <textarea
    {...describes({ id, hint: true, error: typed?.error })}
    name="reason"
    rows={3}
    maxlength={LONGEST_REASON}
    autofocus={typed?.error !== undefined}
  >
    {typed?.text ?? ''}
  </textarea>
);
