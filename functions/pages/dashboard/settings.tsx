import { type Context, Hono } from 'hono';
import { readSettings, updateSettings } from '../../../lib/platforms/settings.ts';
import * as api from '../../../schema/api/platform.ts';
import type { AppEnv } from '../../env.ts';
import { check } from '../../input.ts';
import { describes, Field, Notice, NotSaved } from '../components.tsx';
import { Csrf, renderDashboard } from './frame.tsx';
import { Select } from './parts.tsx';
import { attempt, type FormRefusal } from './query.ts';
import { currentPlatform, form, page } from './session.ts';

const PATH = '/dashboard/settings';

const DECLINE_WORDS: Record<api.OnDecline, string> = {
  notify: 'Only send a webhook',
  cancel: 'Cancel the meeting',
  reschedule: 'Find another time',
};

export const settings = new Hono<AppEnv>();

page(settings, PATH, (c) => renderSettings(c, { isSaved: c.req.query('done') === 'saved' }));

form(settings, PATH, async (c, given) => {
  const sent = { uris: given.get('redirect_uris') ?? '', onDecline: given.get('on_decline') ?? '' };
  const { refusal } = await attempt(c, async () => {
    const lines = sent.uris.split(/\r?\n/).map((line) => line.trim());
    const { redirect_uris: redirectUris, on_decline: onDecline } = check(
      api.SettingsRequest,
      { redirect_uris: lines.filter((line) => line !== ''), on_decline: sent.onDecline },
      api.updateSettings.codes,
    );
    return updateSettings(c.var.ctx, currentPlatform(c).id, { redirectUris, onDecline, webhookUrl: undefined });
  });
  return refusal === undefined ? c.redirect(`${PATH}?done=saved`, 303) : renderSettings(c, { refusal, sent });
});

interface Shown {
  isSaved?: boolean;
  refusal?: FormRefusal;
  /** Values of a rejected settings form, shown again so that nothing typed is lost. */
  sent?: { uris: string; onDecline: string };
}

async function renderSettings(c: Context<AppEnv>, { isSaved = false, refusal, sent }: Shown) {
  const now = await readSettings(c.var.ctx, currentPlatform(c).id);
  const { uris, onDecline } = sent ?? { uris: now.redirectUris.join('\n'), onDecline: now.onDecline };
  return renderDashboard(
    c,
    { title: 'Settings', at: PATH, status: refusal?.status ?? 200 },
    <>
      {isSaved ? <Notice kind="ok">Your settings are saved.</Notice> : null}
      {refusal === undefined ? null : <NotSaved fields={['redirect_uris']} />}
      <form method="post" action={PATH}>
        <Csrf csrf={c.var.session.csrf} />
        <Field
          id="redirect_uris"
          label="Redirect URIs, one per line"
          hint={`Addresses that people may return to after they give consent. At most ${api.MOST_REDIRECT_URIS}. Each must use HTTPS, or HTTP on localhost.`}
          error={refusal?.message}
        >
          <textarea
            {...describes({ id: 'redirect_uris', hint: true, error: refusal?.message })}
            name="redirect_uris"
            rows={api.MOST_REDIRECT_URIS}
          >
            {`\n${uris}`}
          </textarea>
        </Field>
        <Field id="on_decline" label="When an attendee declines a meeting in their calendar">
          <Select
            name="on_decline"
            value={onDecline}
            options={api.ON_DECLINE.map((choice) => [choice, DECLINE_WORDS[choice]] as const)}
          />
        </Field>
        <button type="submit">Save</button>
      </form>
      <p>
        To choose where events are sent, go to <a href="/dashboard/webhooks/endpoint">Webhooks</a>.
      </p>
      <h2>Set when your platform was created</h2>
      <dl class="facts">
        <dt>Name that people see</dt>
        <dd>
          <bdi>{now.name}</bdi>
        </dd>
        <dt>Developer email</dt>
        <dd>{now.email}</dd>
        <dt>Plan</dt>
        <dd>{now.plan}</dd>
        <dt>Platform ID</dt>
        <dd>
          <code>{currentPlatform(c).id}</code>
        </dd>
      </dl>
    </>,
  );
}
