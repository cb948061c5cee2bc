import { type Context, Hono } from 'hono';
import { secretOfForm } from '../../../lib/once.ts';
import { newSecret } from '../../../lib/webhooks/delivery-headers.ts';
import { configureWebhook, readWebhook, rotateSecret } from '../../../lib/webhooks/endpoint.ts';
import { testWebhook } from '../../../lib/webhooks/test-webhook.ts';
import * as api from '../../../schema/api/webhook-endpoint.ts';
import { EVENT_TYPES, RESCHEDULED, SUBSCRIBED_EVENTS, TEST_EVENT } from '../../../schema/api/webhook-events.ts';
import type { EndpointRow } from '../../../schema/webhook-endpoints/queries.ts';
import type { AppEnv } from '../../env.ts';
import { check } from '../../input.ts';
import { describes, Empty, Field, Notice, NotSaved } from '../components.tsx';
import { Csrf, Once, renderDashboard } from './frame.tsx';
import { At, CopyField, Select } from './parts.tsx';
import { attempt, type Refusal } from './query.ts';
import { currentPlatform, form, isFirst, onceOf, page } from './session.ts';

const LOG = '/dashboard/webhooks';
const PATH = `${LOG}/endpoint`;

export const endpoint = new Hono<AppEnv>();

page(endpoint, PATH, (c) => renderEndpoint(c, { isSaved: c.req.query('done') === 'saved' }));

form(endpoint, PATH, async (c, given) => {
  const { id } = currentPlatform(c);
  const sent = sentOf(given);
  const secret = newSecret(await secretOfForm(c.var.ctx, { session: c.var.session.text, once: onceOf(given) }));
  const { answer, refusal } = await attempt(c, async () => {
    const asked = check(api.WebhookRequest, {
      url: given.get('url') === given.get('former_url') ? undefined : given.get('url'),
      enabled: sent.enabled,
      // All that there are stay all, those to come too.
      events: given.get('former_events') === 'all' && isAll(sent.events) ? undefined : sent.events,
      max_retries: Number(sent.maxRetries),
      timeout_seconds: Number(sent.timeoutSeconds),
    });
    const { max_retries: maxRetries, timeout_seconds: timeoutSeconds, ...rest } = asked;
    return configureWebhook(c.var.ctx, id, { ...rest, maxRetries, timeoutSeconds }, secret);
  });
  if (answer === undefined) return renderEndpoint(c, { refusal, sent });
  return answer.secret === undefined ? c.redirect(`${PATH}?done=saved`, 303) : renderSecret(c, answer.secret);
});

page(endpoint, `${PATH}/rotate`, (c) =>
  renderDashboard(
    c,
    { title: 'Replace the signing secret?', at: LOG },
    <>
      <p>
        A new secret signs from now on, and is shown once. The one in force stays valid for 24 hours beside it, so that
        your receiver can be changed in between without missing anything.
      </p>
      <form method="post" action={`${PATH}/rotate`}>
        <Csrf csrf={c.var.session.csrf} />
        <Once once={c.var.ctx.ids.secret('')} />
        <p class="actions">
          <button type="submit">Replace the secret</button> <a href={PATH}>Leave it as it is</a>
        </p>
      </form>
    </>,
  ),
);

form(endpoint, `${PATH}/rotate`, async (c, given) => {
  const secret = newSecret(await secretOfForm(c.var.ctx, { session: c.var.session.text, once: onceOf(given) }));
  const { answer, refusal } = await attempt(c, () => rotateSecret(c.var.ctx, currentPlatform(c).id, secret));
  return answer === undefined
    ? renderEndpoint(c, { refusal })
    : renderSecret(c, answer.secret, answer.previousValidUntil);
});

form(endpoint, `${PATH}/test`, async (c, given) => {
  if (!(await isFirst(c, given))) return c.redirect(LOG, 303);
  const { answer, refusal } = await attempt(c, () => {
    const { event_type: type } = check(api.WebhookTestRequest, { event_type: given.get('event_type') ?? undefined });
    return testWebhook(c.var.ctx, currentPlatform(c).id, type);
  });
  return answer === undefined ? renderEndpoint(c, { refusal }) : c.redirect(`${LOG}/${answer.id}?done=tested`, 303);
});

/** What the form has, as it was sent or as it is now. */
interface Sent {
  url: string;
  enabled: boolean;
  events: readonly string[];
  maxRetries: string;
  timeoutSeconds: string;
}

const sentOf = (given: URLSearchParams): Sent => ({
  url: given.get('url') ?? '',
  enabled: given.has('enabled'),
  events: given.getAll('events'),
  maxRetries: given.get('max_retries') ?? '',
  timeoutSeconds: given.get('timeout_seconds') ?? '',
});

/** The fields that hold what a person types. */
const TYPED = ['url', 'max_retries', 'timeout_seconds'] as const;

const FIRST: Sent = { url: '', enabled: true, events: EVENT_TYPES, maxRetries: '3', timeoutSeconds: '30' };

const isAll = (events: readonly string[]) =>
  events.length === EVENT_TYPES.length && EVENT_TYPES.every((type) => events.includes(type));

const storedOf = (row: EndpointRow): Sent => ({
  url: row.url,
  enabled: row.enabled,
  events: row.events ?? EVENT_TYPES,
  maxRetries: String(row.maxRetries),
  timeoutSeconds: String(row.timeoutSeconds),
});

function renderSecret(c: Context<AppEnv>, secret: string, validUntil?: number) {
  return renderDashboard(
    c,
    { title: 'The new signing secret', at: LOG },
    <>
      <CopyField id="webhook-secret" label="Copy it now: it is not shown again" value={secret} />
      <p>
        It signs every delivery from now on.
        {validUntil === undefined ? null : (
          <>
            {' '}
            The one before stays valid until <At ms={validUntil} />.
          </>
        )}{' '}
        <a href="/docs/webhooks">How a signature is checked</a>
      </p>
      <p>
        <a href={PATH}>Back to the endpoint</a>
      </p>
    </>,
  );
}

interface Shown {
  isSaved?: boolean;
  refusal?: Refusal | undefined;
  sent?: Sent;
}

async function renderEndpoint(c: Context<AppEnv>, { isSaved = false, refusal, sent }: Shown) {
  const { ctx, session } = c.var;
  const { answer: row } = await attempt(c, () => readWebhook(ctx, currentPlatform(c).id));
  const shown = sent ?? (row === undefined ? FIRST : storedOf(row));
  const until = row?.previousSecrets[0]?.validUntil ?? 0;
  const wrong = TYPED.find((field) => field === refusal?.field);
  const errorAt = (field: (typeof TYPED)[number]) => (wrong === field ? refusal?.message : undefined);
  return renderDashboard(
    c,
    { title: 'Where events go', at: LOG, status: refusal?.status ?? 200 },
    <>
      {isSaved ? <Notice kind="ok">The webhook is set; its secret is unchanged.</Notice> : null}
      {wrong === undefined ? null : <NotSaved fields={[wrong]} />}
      {refusal === undefined || wrong !== undefined ? null : <Notice kind="bad">{refusal.message}</Notice>}
      {row === undefined ? (
        <Empty title="No webhook is set yet">
          <p>Nobody is told of what happens. Say below which address of yours events are to be sent to.</p>
        </Empty>
      ) : null}
      <form method="post" action={PATH}>
        <Csrf csrf={session.csrf} />
        <Once once={ctx.ids.secret('')} />
        <input type="hidden" name="former_url" value={row?.url ?? ''} />
        <input type="hidden" name="former_events" value={row?.events === null ? 'all' : 'chosen'} />
        <Field
          id="url"
          label="URL"
          hint="HTTPS, on a public host. A new URL gets a new secret, shown once; the one before stays valid for 24 hours."
          error={errorAt('url')}
        >
          <input
            {...describes({ id: 'url', hint: true, error: errorAt('url') })}
            type="url"
            name="url"
            value={shown.url}
            required
            maxlength={2048}
          />
        </Field>
        <label class="check">
          <input type="checkbox" name="enabled" checked={shown.enabled} /> Send events
        </label>
        <fieldset>
          <legend>Which events</legend>
          {SUBSCRIBED_EVENTS.map((type) => (
            <label class="check">
              <input type="checkbox" name="events" value={type} checked={shown.events.includes(type)} />
              <span>
                {type}
                {type === RESCHEDULED ? (
                  <span class="hint"> – moved, by an update or by another meeting in its place</span>
                ) : null}
              </span>
            </label>
          ))}
        </fieldset>
        <Field id="max_retries" label="Attempts at most (1 to 3)" error={errorAt('max_retries')}>
          <input
            {...describes({ id: 'max_retries', error: errorAt('max_retries') })}
            type="number"
            name="max_retries"
            min={1}
            max={3}
            value={shown.maxRetries}
            required
          />
        </Field>
        <Field id="timeout_seconds" label="Seconds to wait for an answer (1 to 30)" error={errorAt('timeout_seconds')}>
          <input
            {...describes({ id: 'timeout_seconds', error: errorAt('timeout_seconds') })}
            type="number"
            name="timeout_seconds"
            min={1}
            max={30}
            value={shown.timeoutSeconds}
            required
          />
        </Field>
        <button type="submit">Save</button>
      </form>
      {row === undefined ? null : (
        <>
          <h2>Signing secret</h2>
          <p>
            Every delivery is signed with it. It was shown when it was made, and is kept sealed.
            {until > ctx.clock.now() ? (
              <>
                {' '}
                The one before is valid until <At ms={until} />.
              </>
            ) : null}
          </p>
          <p>
            <a class="button quiet" href={`${PATH}/rotate`}>
              Replace the secret
            </a>
          </p>
          <h2>Send a test</h2>
          <p>One attempt, also while events are switched off and whichever are chosen.</p>
          <form method="post" action={`${PATH}/test`} class="line">
            <Csrf csrf={session.csrf} />
            <Once once={ctx.ids.secret('')} />
            <Field id="event_type" label="A sample of">
              <Select
                name="event_type"
                value={TEST_EVENT}
                options={[TEST_EVENT, ...EVENT_TYPES].map((type) => [type, type] as const)}
              />
            </Field>
            <button type="submit" class="quiet">
              Send a test
            </button>
          </form>
        </>
      )}
    </>,
  );
}
