import { HiddenFields } from '../components.tsx';
import { type Seen, zoneField } from './frame.tsx';

/** Somebody without a connected calendar compares the times with theirs. */
export function CheckCalendar({ seen }: { seen: Seen }) {
  if (seen.proposal.isOtherConnected) return null;
  return (
    <form method="post" action={seen.path} class="own-calendar">
      <HiddenFields fields={{ answer: 'check', ...zoneField(seen) }} />
      <button type="submit" class="quiet">
        Check my Google calendar
      </button>
      <p class="muted small">
        Google asks you to let Tandem see when you are busy. Tandem looks once, and keeps nothing.
      </p>
    </form>
  );
}
