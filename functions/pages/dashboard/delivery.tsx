import { type Context, Hono } from 'hono';
import { readDeliveryWithAttempts } from '../../../lib/webhooks/delivery-log.ts';
import { replayDelivery } from '../../../lib/webhooks/replay.ts';
import type { DeliveryRow } from '../../../schema/deliveries/log-queries.ts';
import type { AppEnv } from '../../env.ts';
import { Badge, Notice, Sample } from '../components.tsx';
import { Csrf, Once, renderDashboard } from './frame.tsx';
import { At, Refused } from './parts.tsx';
import { attempt, type FormRefusal } from './query.ts';
import { currentPlatform, form, isFirst, page } from './session.ts';

const PATH = '/dashboard/webhooks';

export const delivery = new Hono<AppEnv>();

page(delivery, `${PATH}/:id`, (c) => renderDelivery(c));

form(delivery, `${PATH}/:id/resend`, async (c, given) => {
  const id = c.req.param('id') ?? '';
  if (!(await isFirst(c, given))) return c.redirect(`${PATH}/${id}`, 303);
  const { answer, refusal } = await attempt(c, () => replayDelivery(c.var.ctx, currentPlatform(c).id, id));
  return answer === undefined
    ? renderDelivery(c, refusal)
    : c.redirect(`${PATH}/${answer.deliveryId}?done=resent`, 303);
});

/** Words and colors that show the status of a webhook delivery, keyed by status. */
export const STATUSES = {
  success: { words: 'Delivered', kind: 'ok' },
  failed: { words: 'Failed', kind: 'bad' },
  pending: { words: 'Pending', kind: 'info' },
} as const satisfies Record<DeliveryRow['status'], object>;

export const Status = ({ of: { status } }: { of: DeliveryRow }) => (
  <Badge kind={STATUSES[status].kind}>{STATUSES[status].words}</Badge>
);

/** Returns words for how a webhook delivery or attempt ended, or why no attempt was made. */
export const answerOf = ({ attempts, error, responseCode, durationMs }: Attempted) => {
  if (attempts === 0) return error ?? '';
  const what = error ?? `answered ${responseCode}`;
  return what.startsWith('not sent') ? what : `${what} in ${durationMs.toLocaleString('en-GB')} ms`;
};

type Attempted = Pick<DeliveryRow, 'attempts' | 'error' | 'responseCode' | 'durationMs'>;

/** Messages after a test of the webhook, keyed by the status of the test delivery. */
const TESTED = {
  success: 'The test was delivered.',
  failed: 'The test was not delivered.',
  pending: 'The test is being sent. Reload the page to see the result.',
};

async function renderDelivery(c: Context<AppEnv>, refused?: FormRefusal) {
  const run = () => readDeliveryWithAttempts(c.var.ctx, currentPlatform(c).id, c.req.param('id') ?? '');
  const { answer, refusal = refused } = await attempt(c, run);
  if (answer === undefined)
    return renderDashboard(
      c,
      { title: 'Delivery not found', at: PATH, status: refusal?.status ?? 404 },
      <>
        <Notice kind="bad">The log has no delivery with this ID. The log keeps deliveries for 30 days.</Notice>
        <p>
          <a href={PATH}>All deliveries</a>
        </p>
      </>,
    );
  const { delivery: shown, attempts } = answer;
  const done = c.req.query('done');
  return renderDashboard(
    c,
    { title: shown.eventType, at: PATH, status: refusal?.status ?? 200 },
    <>
      {done === 'resent' ? (
        <Notice kind="ok">
          Tandem is sending the event again, as this new delivery. Reload the page to see the result.
        </Notice>
      ) : null}
      {done === 'tested' ? <Notice kind={STATUSES[shown.status].kind}>{TESTED[shown.status]}</Notice> : null}
      <Refused refusal={refusal} />
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          <Status of={shown} />
          {shown.status === 'failed' ? ` ${shown.error ?? 'no answer'}` : ''}
        </dd>
        <dt>Created</dt>
        <dd>
          <At ms={shown.createdAt} isExact />
        </dd>
        {shown.meetingId === null ? null : (
          <>
            <dt>Meeting</dt>
            <dd>
              <a href={`/dashboard/meetings/${shown.meetingId}`}>
                <code>{shown.meetingId}</code>
              </a>
            </dd>
          </>
        )}
        <dt>Sent to</dt>
        <dd>
          <code>{shown.url}</code>
        </dd>
        <dt>Delivery ID</dt>
        <dd>
          <code>{shown.id}</code>
          {shown.replayOf === null ? null : (
            <>
              , which resends <a href={`${PATH}/${shown.replayOf}`}>an earlier delivery</a>
            </>
          )}
        </dd>
        <dt>Event ID</dt>
        <dd>
          <code>{shown.eventId}</code>, the same each time it is sent
        </dd>
      </dl>
      {shown.status === 'pending' ? null : (
        <form method="post" action={`${PATH}/${shown.id}/resend`}>
          <Csrf csrf={c.var.session.csrf} />
          <Once once={c.var.ctx.ids.secret('')} />
          <button type="submit" class={shown.status === 'failed' ? undefined : 'quiet'}>
            Resend
          </button>
        </form>
      )}
      <h2>Attempts</h2>
      {attempts.length === 0 ? (
        <p>No attempt has been made yet.</p>
      ) : (
        <ol class="rows">
          {attempts.map((attempt) => (
            <li>
              <span class="muted small">
                <At ms={attempt.startedAt} isExact />
              </span>
              <div>{answerOf({ ...attempt, attempts: attempt.number })}</div>
            </li>
          ))}
        </ol>
      )}
      <h2>Body</h2>
      <p class="hint">Formatted for reading. Tandem sends it on one line.</p>
      <Sample>{JSON.stringify(JSON.parse(shown.body), null, 2)}</Sample>
    </>,
  );
}
