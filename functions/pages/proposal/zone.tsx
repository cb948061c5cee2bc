import type { Context } from 'hono';
import type { AppEnv } from '../../http/env.ts';
import { Field } from '../components.tsx';
import { ZoneSelect } from '../zone-select.tsx';
import { addressOf, renderForGuest, type Seen } from './frame.tsx';

/** Answers with a form on which a person chooses the time zone in which the page shows times. */
export const ZonePage = (c: Context<AppEnv>, seen: Seen) =>
  renderForGuest(
    c,
    { title: 'Choose your time zone', platform: seen.platform },
    <form method="get" action={seen.path}>
      <Field id="zone" label="Time zone">
        <ZoneSelect zone={seen.zone} />
      </Field>
      <p class="actions">
        <button type="submit">Show times</button>
        <a href={addressOf(seen)}>Back</a>
      </p>
    </form>,
  );
