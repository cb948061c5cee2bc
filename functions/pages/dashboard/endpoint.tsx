import { Hono } from 'hono';
import { secretOfForm } from '../../../lib/once.ts';
import { newSecret } from '../../../lib/webhooks/delivery-headers.ts';
import { configureWebhook, rotateSecret } from '../../../lib/webhooks/endpoint.ts';
import { testWebhook } from '../../../lib/webhooks/test-webhook.ts';
import * as api from '../../../schema/api/webhook-endpoint.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events.ts';
import type { AppEnv } from '../../env.ts';
import { check } from '../../input.ts';
import { PATH, renderEndpoint, renderSecret, type Sent } from './endpoint-page.tsx';
import { Csrf, Once, renderDashboard } from './frame.tsx';
import { attempt } from './query.ts';
import { currentPlatform, form, isFirst, onceOf, page } from './session.ts';

const LOG = '/dashboard/webhooks';

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
        A new secret is shown once and signs from now on. The current one stays valid beside it for 24 hours, so you can
        update your receiver without missing anything.
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

const sentOf = (given: URLSearchParams): Sent => ({
  url: given.get('url') ?? '',
  enabled: given.has('enabled'),
  events: given.getAll('events'),
  maxRetries: given.get('max_retries') ?? '',
  timeoutSeconds: given.get('timeout_seconds') ?? '',
});

const isAll = (events: readonly string[]) =>
  events.length === EVENT_TYPES.length && EVENT_TYPES.every((type) => events.includes(type));
