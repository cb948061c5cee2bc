import { type Context, Hono } from 'hono';
import { insistOnFreshLink } from '../../../lib/platforms/dashboard.ts';
import { newSecret } from '../../../lib/webhooks/delivery-headers.ts';
import { configureWebhook, readWebhook, rotateSecret, testWebhook } from '../../../lib/webhooks/endpoint.ts';
import type { EndpointRow } from '../../../schema/access/webhook-endpoints.ts';
import {
  DEFAULT_EVENTS,
  EVENT_TYPES,
  RESCHEDULED,
  SUBSCRIBED_EVENTS,
  TEST_EVENT,
} from '../../../schema/api/webhook-events.ts';
import * as api from '../../../schema/api/webhooks.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { At } from '../clock.tsx';
import {
  ButtonLink,
  Check,
  Empty,
  Form,
  InputField,
  LinkLine,
  Notice,
  NotSaved,
  SelectField,
  Submit,
} from '../components.tsx';
import { redirectDone, saidDone } from '../session-cookie.ts';
import { Former, ifChanged, renderDashboard } from './frame.tsx';
import { CopyField, outageOf } from './parts.tsx';
import { attempt, currentPlatform, type FormRefusal, form, isFirst, openedSession, page, secretOf } from './session.ts';
import { renderLog } from './webhooks.tsx';

const LOG = '/dashboard/webhooks';
const PATH = `${LOG}/endpoint`;

const TYPED = ['url', 'max_retries', 'timeout_seconds'] as const;

/** Writes a webhook, or a new one with its defaults, as the page's form is sent. */
function fieldsOf(row: EndpointRow | undefined): URLSearchParams {
  const { url = '', enabled = true, maxRetries = 3, timeoutSeconds = 30 } = row ?? {};
  const fields = new URLSearchParams({ url, max_retries: String(maxRetries), timeout_seconds: String(timeoutSeconds) });
  if (enabled) fields.set('enabled', 'on');
  const events = row?.events ?? DEFAULT_EVENTS;
  for (const type of SUBSCRIBED_EVENTS) if (events.includes(type)) fields.append('events', type);
  return fields;
}

function renderSecret(c: Context<AppEnv>, secret: string, validUntil?: number) {
  return renderDashboard(
    c,
    { title: 'Your new webhook secret', at: LOG },
    <>
      <CopyField id="webhook-secret" what="webhook secret" label="Copy it now. It is not shown again." value={secret} />
      <p>
        It signs every delivery from now on.
        {validUntil === undefined ? null : oldSecret(validUntil)} <a href="/docs/webhooks">How to verify a signature</a>
      </p>
      <LinkLine to={PATH}>Back to the endpoint</LinkLine>
    </>,
  );
}

const oldSecret = (validUntil: number) => [' The old secret stays valid until ', <At ms={validUntil} />, '.'];

const NUMBERS = [
  { id: 'max_retries', label: 'Maximum attempts (1 to 3)', max: 3 },
  { id: 'timeout_seconds', label: 'Timeout in seconds (1 to 30)', max: 30 },
] as const;

async function renderEndpoint(c: Context<AppEnv>, refusal?: FormRefusal, sent?: URLSearchParams) {
  const { ctx } = c.var;
  const { answer: row } = await attempt(c, () => readWebhook(ctx, currentPlatform(c).id));
  const shown = sent ?? fieldsOf(row);
  const until = row?.previousSecrets[0]?.validUntil ?? 0;
  const outage = outageOf(row && { ...row, redeliverAt: row.redeliverHours > 0 ? row.redeliverAt : null });
  const wrong = TYPED.find((field) => field === refusal?.field);
  const errorAt = (field: (typeof TYPED)[number]) => (wrong === field ? refusal?.message : undefined);
  return renderDashboard(
    c,
    { title: 'Webhook endpoint', at: LOG, status: refusal?.status, done: await saidDone(c, DONE) },
    <>
      {wrong === undefined ? null : <NotSaved fields={[wrong]} />}
      {refusal === undefined || wrong !== undefined ? null : <Notice kind="bad">{refusal.message}</Notice>}
      {row === undefined ? (
        <Empty title="You have no webhook yet">You receive no events until you add a webhook below.</Empty>
      ) : null}
      {outage && <Notice kind="warn">{outage}</Notice>}
      <Form action={PATH} isOnce>
        <Former of={row && fieldsOf(row)} sent={sent} />
        <InputField
          id="url"
          label="URL"
          hint="An HTTPS address on a public host. A new URL gets a new secret, which is shown once. The old secret stays valid for 24 hours. To change the URL, open the dashboard with a link made within ten minutes."
          error={errorAt('url')}
          type="url"
          value={shown.get('url') ?? ''}
          required
          maxlength={2048}
        />
        <Check name="enabled" checked={shown.has('enabled')} label="Send events" />
        <fieldset>
          <legend>Events to send</legend>
          {SUBSCRIBED_EVENTS.map((type) => (
            <Check
              name="events"
              value={type}
              checked={shown.has('events', type)}
              label={type === RESCHEDULED ? [type, <span class="hint">{RESCHEDULED_HINT}</span>] : type}
            />
          ))}
        </fieldset>
        {NUMBERS.map((number) => (
          <InputField
            {...number}
            error={errorAt(number.id)}
            type="number"
            min={1}
            value={shown.get(number.id) ?? ''}
            required
          />
        ))}
        <Submit>Save</Submit>
      </Form>
      {row === undefined ? null : (
        <>
          <h2>Signing secret</h2>
          <p>
            This secret signs every delivery. It was shown once, when it was created, and cannot be shown again.
            {until > ctx.clock.now() ? oldSecret(until) : null}
          </p>
          <p>
            <ButtonLink to={`${PATH}/rotate`} kind="quiet">
              Replace the secret
            </ButtonLink>
          </p>
          <h2>Send a test</h2>
          <p>Makes one attempt, even if sending is off or you have not chosen this event.</p>
          <Form action={`${PATH}/test`} isOnce class="line">
            <SelectField
              id="event_type"
              label="Sample event"
              chosen={TEST_EVENT}
              options={[TEST_EVENT, ...EVENT_TYPES].map((type) => [type, type] as const)}
            />
            <Submit kind="quiet">Send a test</Submit>
          </Form>
        </>
      )}
    </>,
  );
}

const DONE = { saved: 'The webhook is saved. Its secret has not changed.' };

const RESCHEDULED_HINT = ' – a meeting was moved, by an update or by a new meeting that replaces it';

export const endpoint = new Hono<AppEnv>();

page(endpoint, PATH, (c) => renderEndpoint(c));

/** Shows the page after another of its forms, so with what is stored. */
const renderUntouched = (c: Context<AppEnv>, refusal: FormRefusal) => renderEndpoint(c, refusal);

form(endpoint, PATH, { needsFreshLink: true, refused: renderEndpoint }, async (c, given) => {
  const number = (name: string) => ifChanged(given, name, Number(given.get(name)));
  const secret = newSecret(await secretOf(c, given));
  const asked = check(api.WebhookRequest, {
    url: ifChanged(given, 'url', given.get('url') ?? ''),
    enabled: ifChanged(given, 'enabled', given.has('enabled')),
    // Where there was no list, none is stored if it is unchanged, so the webhook also gets types added later.
    events: ifChanged(given, 'events', given.getAll('events')),
    max_retries: number('max_retries'),
    timeout_seconds: number('timeout_seconds'),
  });
  if (asked.url !== undefined) insistOnFreshLink(c.var.ctx, openedSession(c));
  const { max_retries: maxRetries, timeout_seconds: timeoutSeconds, ...rest } = asked;
  const change = { ...rest, maxRetries, timeoutSeconds };
  const saved = await configureWebhook(c.var.ctx, currentPlatform(c).id, change, secret);
  return saved.secret === undefined ? redirectDone(c, `${PATH}?done=saved`) : renderSecret(c, saved.secret);
});

page(endpoint, `${PATH}/rotate`, (c) =>
  renderDashboard(
    c,
    { title: 'Replace the webhook secret?', at: LOG },
    <>
      <p>
        The new secret is shown once and signs every delivery from now on. The current one also stays valid for 24
        hours, so you can update your receiver without missing an event.
      </p>
      <Form action={`${PATH}/rotate`} isOnce>
        <p class="actions">
          <button type="submit">Replace the secret</button> <a href={PATH}>Keep the current one</a>
        </p>
      </Form>
    </>,
  ),
);

form(endpoint, `${PATH}/rotate`, { needsFreshLink: true, refused: renderUntouched }, async (c, given) => {
  insistOnFreshLink(c.var.ctx, openedSession(c));
  const made = newSecret(await secretOf(c, given));
  const { secret, previousValidUntil } = await rotateSecret(c.var.ctx, currentPlatform(c).id, made);
  return renderSecret(c, secret, previousValidUntil);
});

form(endpoint, `${PATH}/test`, { refused: renderUntouched }, async (c, given) => {
  if (!(await isFirst(c, given))) return renderLog(c, TESTED_BEFORE);
  const { event_type: type } = check(api.WebhookTestRequest, { event_type: given.get('event_type') ?? undefined });
  const { id } = await testWebhook(c.var.ctx, currentPlatform(c).id, type);
  return redirectDone(c, `${LOG}/${id}?done=tested`);
});

const TESTED_BEFORE = { done: 'You already sent this form, so no second test was made.' };
