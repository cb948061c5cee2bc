import { type Context, Hono } from 'hono';
import { knownZone } from '../../../lib/engine/time/zone.ts';
import { AppError } from '../../../lib/kit/errors.ts';
import type { AppEnv } from '../../http/env.ts';
import { clockOf, hasZone, keepZone } from '../clock.tsx';
import { Field, Form, HiddenFields, Notice, ZoneSelect } from '../components.tsx';
import { renderDashboard } from './frame.tsx';
import { attempt, type FormRefusal, form, page } from './session.ts';

const PATH = '/dashboard/zone';

/** Selects the browser's zone, and says so, if none is chosen and the list has it. Only sending the form changes it. */
const PROPOSAL_SCRIPT = `addEventListener('DOMContentLoaded', () => {
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const said = document.querySelector('[data-propose]');
const list = document.getElementById('zone');
if (!said || ![...list.options].some(({ value }) => value === own)) return;
list.value = own;
said.hidden = false;
});`;

export const zone = new Hono<AppEnv>();

page(zone, PATH, (c) => renderZone(c, c.req.query('back')));

form(
  zone,
  PATH,
  async (c, given) => {
    const { answer, refusal } = await attempt(c, async () => chosenIn(given));
    if (answer === undefined) return renderZone(c, given.get('back') ?? undefined, refusal);
    keepZone(c, answer);
    return c.redirect(wayBack(c, given.get('back') ?? undefined), 303);
  },
  { anySession: true },
);

function chosenIn(given: URLSearchParams): string {
  const chosen = knownZone(given.get('zone') ?? '');
  if (chosen === undefined)
    throw new AppError('invalid_request', 'Choose a time zone from the list.', { field: 'zone' });
  return chosen;
}

/** Returns the first page if `back` leads anywhere else, so that no link can send a person to another site. */
function wayBack(c: Context<AppEnv>, back = ''): string {
  const home = new URL('/dashboard', c.var.env.BASE_URL);
  if (!URL.canParse(back, home.href)) return home.pathname;
  const { origin, pathname, search } = new URL(back, home);
  const isOurs = origin === home.origin && `${pathname}/`.startsWith('/dashboard/');
  return isOurs ? pathname + search : home.pathname;
}

const renderZone = (c: Context<AppEnv>, back: string | undefined, refusal?: FormRefusal) =>
  renderDashboard(
    c,
    { title: 'Choose a time zone', status: refusal?.status ?? 200, hasTimes: false, script: PROPOSAL_SCRIPT },
    <>
      {refusal === undefined ? null : <Notice kind="bad">{refusal.message}</Notice>}
      <p>
        This browser then shows the dashboard’s times in the zone that you choose. Nobody else’s dashboard changes, and
        neither does what your server receives.
      </p>
      <Form action={PATH}>
        <HiddenFields fields={{ back: wayBack(c, back) }} />
        <Field id="zone" label="Time zone">
          <ZoneSelect zone={clockOf(c).zone} />
        </Field>
        {hasZone(c) ? null : (
          <p class="hint" data-propose hidden>
            This is your browser’s time zone. Times are in UTC until you choose one.
          </p>
        )}
        <button type="submit">Show times in this zone</button>
      </Form>
    </>,
  );
