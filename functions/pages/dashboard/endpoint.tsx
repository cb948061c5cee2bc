import { Hono } from 'hono';
import { secretOfForm } from '../../../lib/kit/form-once.ts';
import { insistOnFreshLink } from '../../../lib/platforms/dashboard-session.ts';
import { newSecret } from '../../../lib/webhooks/delivery-headers.ts';
import { configureWebhook, rotateSecret, testWebhook } from '../../../lib/webhooks/endpoint.ts';
import * as api from '../../../schema/api/webhook-endpoint.ts';
import type { AppEnv } from '../../http/env.ts';
import { check } from '../../http/input.ts';
import { redirectDone } from '../done.ts';
import { renderLog } from './delivery-list.tsx';
import { PATH, renderEndpoint, renderSecret, type Sent } from './endpoint-page.tsx';
import { Csrf, ifChanged, Once, renderDashboard } from './frame.tsx';
import { attempt, OR_STALE_LINK } from './query.ts';
import { currentPlatform, form, isFirst, onceOf, openedSession, page } from './session.ts';

const LOG = '/dashboard/webhooks';

export const endpoint = new Hono<AppEnv>();

page(endpoint, PATH, (c) => renderEndpoint(c));

form(endpoint, PATH, async (c, given) => {
  const { id } = currentPlatform(c);
  const sent = sentOf(given);
  const secret = newSecret(await secretOfForm(c.var.ctx, { session: c.var.session.id, once: onceOf(given) }));
  const { answer, refusal } = await attempt(
    c,
    async () => {
      const asked = check(api.WebhookRequest, {
        url: ifChanged(given, 'url', sent.url),
        enabled: ifChanged(given, 'enabled', sent.enabled),
        // Where there was no list, none is stored if it is unchanged, so the webhook also gets types added later.
        events: ifChanged(given, 'events', sent.events),
        max_retries: ifChanged(given, 'max_retries', Number(sent.maxRetries), sent.maxRetries),
        timeout_seconds: ifChanged(given, 'timeout_seconds', Number(sent.timeoutSeconds), sent.timeoutSeconds),
      });
      if (asked.url !== undefined) insistOnFreshLink(c.var.ctx, openedSession(c));
      const { max_retries: maxRetries, timeout_seconds: timeoutSeconds, ...rest } = asked;
      return configureWebhook(c.var.ctx, id, { ...rest, maxRetries, timeoutSeconds }, secret);
    },
    OR_STALE_LINK,
  );
  if (answer === undefined) return renderEndpoint(c, { refusal, sent });
  return answer.secret === undefined
    ? redirectDone(c, c.var.session.csrf, `${PATH}?done=saved`)
    : renderSecret(c, answer.secret);
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
      <form method="post" action={`${PATH}/rotate`}>
        <Csrf csrf={c.var.session.csrf} />
        <Once once={c.var.ctx.ids.secret('')} />
        <p class="actions">
          <button type="submit">Replace the secret</button> <a href={PATH}>Keep the current one</a>
        </p>
      </form>
    </>,
  ),
);

form(endpoint, `${PATH}/rotate`, async (c, given) => {
  const secret = newSecret(await secretOfForm(c.var.ctx, { session: c.var.session.id, once: onceOf(given) }));
  const { answer, refusal } = await attempt(
    c,
    () => {
      insistOnFreshLink(c.var.ctx, openedSession(c));
      return rotateSecret(c.var.ctx, currentPlatform(c).id, secret);
    },
    OR_STALE_LINK,
  );
  return answer === undefined
    ? renderEndpoint(c, { refusal })
    : renderSecret(c, answer.secret, answer.previousValidUntil);
});

form(endpoint, `${PATH}/test`, async (c, given) => {
  if (!(await isFirst(c, given))) return renderLog(c, TESTED_BEFORE);
  const { answer, refusal } = await attempt(c, () => {
    const { event_type: type } = check(api.WebhookTestRequest, { event_type: given.get('event_type') ?? undefined });
    return testWebhook(c.var.ctx, currentPlatform(c).id, type);
  });
  return answer === undefined
    ? renderEndpoint(c, { refusal })
    : redirectDone(c, c.var.session.csrf, `${LOG}/${answer.id}?done=tested`);
});

const TESTED_BEFORE = { done: 'You already sent this form, so no second test was made.' };

const sentOf = (given: URLSearchParams): Sent => ({
  url: given.get('url') ?? '',
  enabled: given.has('enabled'),
  events: given.getAll('events'),
  maxRetries: given.get('max_retries') ?? '',
  timeoutSeconds: given.get('timeout_seconds') ?? '',
  given,
});
