import { Field, HiddenFields } from '../components.tsx';
import { noneTitle, type Seen, zoneField } from './frame.tsx';
import { ReasonBox, type TypedReason } from './reason-box.tsx';

interface Props {
  seen: Seen;
  typed?: TypedReason;
  /** Number of times that the person can choose from. If it is 0, the form is already unfolded. */
  times: number;
}

/** The person names other times, or declines. */
export function NoneOfThese({ seen, typed, times }: Props) {
  const { path, platform, state } = seen;
  const asks = state.kind === 'open' && state.mayCounter;
  const isOpen = times === 0;
  return (
    <details class="offer none" name="offer" open={isOpen || typed !== undefined}>
      <summary>
        <span>{noneTitle(seen, times)}</span>
      </summary>
      <form method="post" action={path}>
        <HiddenFields fields={zoneField(seen)} />
        <Field
          id="reason"
          label={asks ? 'When would suit you?' : 'Reason (optional)'}
          hint={
            <>
              {asks ? 'For example “Thursday afternoon” or “a morning next week”. ' : null}
              <bdi>{platform.name}</bdi> can read this.
            </>
          }
          error={typed?.error}
        >
          <ReasonBox typed={typed} />
        </Field>
        {asks ? (
          <button type="submit" name="answer" value="counter">
            Find other times
          </button>
        ) : (
          <p class="muted small">You have asked for other times as often as you can here.</p>
        )}
        <button type="submit" class="quiet" name="answer" value="decline">
          Decline
        </button>
      </form>
    </details>
  );
}
