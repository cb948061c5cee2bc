import { type Context, Hono } from 'hono';
import { knownZone } from '../../../lib/engine/time/zone.ts';
import { invalid } from '../../../lib/kit/errors.ts';
import { insistOnFreshLink } from '../../../lib/platforms/dashboard.ts';
import { readSettings, updateSettings } from '../../../lib/platforms/settings.ts';
import * as api from '../../../schema/api/platform.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { clockOf, hasZone, keepZone } from '../clock.tsx';
import { Facts, Form, InputField, NotSaved, SelectField, TextField, ZoneField } from '../components.tsx';
import { saySuggestion } from '../me/fields.tsx';
import { redirectDone, saidDone } from '../session-cookie.ts';
import { Former, ifChanged, renderDashboard } from './frame.tsx';
import { Copied } from './parts.tsx';
import { currentPlatform, type FormRefusal, form, openedSession, page } from './session.ts';

const PATH = '/dashboard/settings';
const ZONE_PATH = '/dashboard/zone';

const FIELDS = ['redirect_uris', 'logo_url', 'on_decline'] as const;

const DECLINE_WORDS: Record<api.OnDecline, string> = {
  notify: 'Only send a webhook',
  cancel: 'Cancel the meeting',
  reschedule: 'Find another time',
  propose: 'Offer three other times',
};

export const settings = new Hono<AppEnv>();

page(settings, PATH, (c) => renderSettings(c));

form(settings, PATH, { needsFreshLink: true, refused: renderSettings }, async (c, given) => {
  const uris = (given.get('redirect_uris') ?? '').split(/\s+/).filter((uri) => uri !== '');
  const changed = {
    redirect_uris: ifChanged(given, 'redirect_uris', uris),
    on_decline: ifChanged(given, 'on_decline', given.get('on_decline') ?? ''),
    // A form from before the logo had a field leaves the logo as it is.
    logo_url: ifChanged(given, 'logo_url', given.get('logo_url')?.trim()),
  };
  const asked = check(api.SettingsRequest, changed, api.updateSettings.codes);
  if (asked.redirect_uris !== undefined) insistOnFreshLink(c.var.ctx, openedSession(c));
  await updateSettings(c.var.ctx, currentPlatform(c).id, {
    redirectUris: asked.redirect_uris,
    onDecline: asked.on_decline,
    webhookUrl: undefined,
    logoUrl: asked.logo_url === '' ? null : asked.logo_url,
    defaultPreferences: undefined,
  });
  return redirectDone(c, `${PATH}?done=saved`);
});

const DONE = { saved: 'Your settings are saved.' };

async function renderSettings(c: Context<AppEnv>, refusal?: FormRefusal, sent?: URLSearchParams) {
  const now = await readSettings(c.var.ctx, currentPlatform(c).id);
  const stored = new URLSearchParams({
    redirect_uris: now.redirectUris.join('\n'),
    on_decline: now.onDecline,
    logo_url: now.logoUrl ?? '',
  });
  const shown = sent ?? stored;
  const wrong = FIELDS.find((field) => refusal?.field?.startsWith(field)) ?? 'redirect_uris';
  const errorAt = (field: (typeof FIELDS)[number]) => (field === wrong ? refusal?.message : undefined);
  return renderDashboard(
    c,
    { title: 'Settings', at: PATH, status: refusal?.status, done: await saidDone(c, DONE), hasTimes: false },
    <>
      {refusal === undefined ? null : <NotSaved fields={[wrong]} />}
      <Form action={PATH}>
        <Former of={stored} sent={sent} />
        <TextField
          id="redirect_uris"
          label="Redirect URIs, one per line"
          hint={`Addresses that people may return to after they give consent. At most ${api.MOST_REDIRECT_URIS}. Each must use HTTPS, or HTTP on localhost.`}
          error={errorAt('redirect_uris')}
          rows={api.MOST_REDIRECT_URIS}
          text={shown.get('redirect_uris') ?? ''}
        />
        <InputField
          id="logo_url"
          label="Logo"
          hint="HTTPS address of a square image. People see the logo where they are asked for access to their calendar and offered times. Leave it empty to show none."
          error={errorAt('logo_url')}
          type="url"
          value={shown.get('logo_url') ?? ''}
          maxlength={api.LONGEST_LOGO_URL}
        />
        <SelectField
          id="on_decline"
          label="When an attendee declines a meeting in their calendar"
          error={errorAt('on_decline')}
          chosen={shown.get('on_decline') ?? ''}
          options={api.ON_DECLINE.map((choice) => [choice, DECLINE_WORDS[choice]] as const)}
        />
        <button type="submit">Save</button>
      </Form>
      <p>
        To choose where events are sent, go to <a href="/dashboard/webhooks/endpoint">Webhooks</a>.
      </p>
      <h2>Suggested preferences</h2>
      <p>
        {now.defaultPreferences === null
          ? 'You suggest none. '
          : `People new to Tandem begin with these: ${saySuggestion(now.defaultPreferences).join('; ')}. `}
        Your server changes them with <a href="/docs/reference/updateSettings">default_preferences</a>.
      </p>
      <h2>Set when your platform was created</h2>
      <Facts
        of={[
          ['Name that people see', <bdi>{now.name}</bdi>],
          ['Developer email', now.email],
          ['Plan', now.plan],
          ['Platform ID', <Copied what="platform ID">{currentPlatform(c).id}</Copied>],
        ]}
      />
    </>,
  );
}

/** Selects the browser's zone, and says so, if none is chosen and the list has it. Only sending the form changes it. */
const PROPOSAL_SCRIPT = `addEventListener('DOMContentLoaded', () => {
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const said = document.querySelector('[data-propose]');
const list = document.getElementById('zone');
if (!said || ![...list.options].some(({ value }) => value === own)) return;
list.value = own;
said.hidden = false;
});`;

page(settings, ZONE_PATH, (c) => renderZone(c));

form(settings, ZONE_PATH, { anySession: true, refused: renderZone }, (c, given) => {
  const chosen = knownZone(given.get('zone') ?? '');
  if (chosen === undefined) throw invalid('zone', 'Choose a time zone from the list.');
  keepZone(c, chosen);
  return c.redirect(wayBack(c, given.get('back')), 303);
});

/** Returns the first page if `back` leads anywhere else, so that no link can send a person to another site. */
function wayBack(c: Context<AppEnv>, given: string | null | undefined): string {
  const back = given ?? '';
  const home = new URL('/dashboard', c.var.env.BASE_URL);
  if (!URL.canParse(back, home.href)) return home.pathname;
  const { origin, pathname, search } = new URL(back, home);
  const isOurs = origin === home.origin && `${pathname}/`.startsWith('/dashboard/');
  return isOurs ? pathname + search : home.pathname;
}

function renderZone(c: Context<AppEnv>, refusal?: FormRefusal, given?: URLSearchParams) {
  const back = wayBack(c, given?.get('back') ?? c.req.query('back'));
  return renderDashboard(
    c,
    { title: 'Choose a time zone', refusal, hasTimes: false, script: PROPOSAL_SCRIPT },
    <>
      <p>
        This browser then shows the dashboard’s times in the zone that you choose. Nobody else’s dashboard changes, and
        neither does what your server receives.
      </p>
      <Form action={ZONE_PATH} fields={{ back }}>
        <ZoneField zone={clockOf(c).zone} />
        {hasZone(c) ? null : (
          <p class="hint" data-propose hidden>
            This is your browser’s time zone. Times are in UTC until you choose one.
          </p>
        )}
        <button type="submit">Show times in this zone</button>
      </Form>
    </>,
  );
}
