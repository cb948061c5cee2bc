import { type Context, Hono } from 'hono';
import { unsignedHeaders } from '../../../lib/webhooks/delivery-headers.ts';
import { type AnsweredAttempt, readDeliveryWithAnswers } from '../../../lib/webhooks/delivery-log.ts';
import { replayDelivery } from '../../../lib/webhooks/replay.ts';
import type { DeliveryRow } from '../../../schema/delivery/deliveries-log.ts';
import type { AppEnv } from '../../http/env.ts';
import { At } from '../clock.tsx';
import { Badge, Facts, Form, Notice, Sample, Status, Submit } from '../components.tsx';
import { redirectDone, saidDone } from '../session-cookie.ts';
import { renderDashboard } from './frame.tsx';
import { Copied, figure } from './parts.tsx';
import { currentPlatform, type FormRefusal, form, idOf, isFirst, page } from './session.ts';

export const PATH = '/dashboard/webhooks';

export const STATUSES = {
  success: { words: 'Delivered', kind: 'ok' },
  failed: { words: 'Failed', kind: 'bad' },
  pending: { words: 'Pending', kind: 'info' },
} as const satisfies Record<DeliveryRow['status'], object>;

export const delivery = new Hono<AppEnv>();

page(delivery, `${PATH}/:id`, (c) => renderDelivery(c));

form(delivery, `${PATH}/:id/resend`, { refused: renderDelivery }, async (c, given) => {
  const id = idOf(c);
  if (!(await isFirst(c, given))) return redirectDone(c, `${PATH}/${id}?done=before`);
  const { deliveryId } = await replayDelivery(c.var.ctx, currentPlatform(c).id, id);
  return redirectDone(c, `${PATH}/${deliveryId}?done=resent`);
});

const TESTED = {
  success: 'The test was delivered.',
  failed: 'The test was not delivered.',
  pending: 'The test is being sent. Reload the page to see the result.',
};

const DONE = {
  resent: () => (
    <Notice kind="ok">
      Tandem is sending the event again, as this new delivery. Reload the page to see the result.
    </Notice>
  ),
  before: () => (
    <Notice kind="info">
      You already sent this form, so the event was not sent a second time. <a href={PATH}>The list of deliveries</a> has
      the newest at the top.
    </Notice>
  ),
  tested: ({ status }: DeliveryRow) => <Notice kind={STATUSES[status].kind}>{TESTED[status]}</Notice>,
};

async function renderDelivery(c: Context<AppEnv>, refusal?: FormRefusal) {
  const { delivery: shown, attempts } = await readDeliveryWithAnswers(c.var.ctx, currentPlatform(c).id, idOf(c));
  const failure = shown.status === 'failed' ? ` ${shown.error ?? 'no answer'}` : '';
  const meeting = shown.meetingId && [
    <Copied what="meeting ID">{shown.meetingId}</Copied>,
    ' ',
    <a href={`/dashboard/meetings/${shown.meetingId}`}>Open the meeting</a>,
  ];
  const earlier = shown.replayOf && [', which resends ', <a href={`${PATH}/${shown.replayOf}`}>an earlier delivery</a>];
  const kept = <div class="small muted">The event keeps this ID each time it is sent.</div>;
  return renderDashboard(
    c,
    { title: shown.eventType, at: PATH, refusal },
    <>
      {(await saidDone(c, DONE))?.(shown)}
      <Facts
        of={[
          ['Status', [<Status of={STATUSES[shown.status]} />, failure]],
          ['Created', <At ms={shown.createdAt} isExact />],
          ['Meeting', meeting],
          ['Sent to', <Copied what="URL">{shown.url}</Copied>],
          ['Delivery ID', [<Copied what="delivery ID">{shown.id}</Copied>, earlier]],
          ['Event ID', [<Copied what="event ID">{shown.eventId}</Copied>, kept]],
        ]}
      />
      {shown.status === 'pending' ? null : (
        <Form action={`${PATH}/${shown.id}/resend`} isOnce>
          <Submit kind={shown.status === 'failed' ? undefined : 'quiet'}>Resend</Submit>
        </Form>
      )}
      <h2>Attempts</h2>
      {attempts.length === 0 ? (
        <p>No attempt has been made yet.</p>
      ) : (
        <>
          <p class="hint">Newest first. Tandem keeps the first kilobyte of each answer, for 30 days.</p>
          <Attempts of={shown} attempts={attempts} />
        </>
      )}
      <h2>Request body</h2>
      <p class="hint">Formatted for reading. Tandem sends it on one line.</p>
      <Sample>{JSON.stringify(JSON.parse(shown.body), null, 2)}</Sample>
    </>,
  );
}

type Attempted = Pick<DeliveryRow, 'attempts' | 'error' | 'responseCode' | 'durationMs'>;

export const answerOf = ({ attempts, error, responseCode, durationMs }: Attempted) => {
  if (attempts === 0) return error ?? '';
  const what = error ?? `answered ${responseCode}`;
  return what.startsWith('not sent') ? what : `${what} in ${figure(durationMs)} ms`;
};

const Attempts = ({ of, attempts }: { of: DeliveryRow; attempts: readonly AnsweredAttempt[] }) => (
  <>
    {attempts.toReversed().map((attempt) => (
      <section class="card">
        <h3>
          Attempt {attempt.number}{' '}
          {attempt.error === null ? <Badge kind="ok">Delivered</Badge> : <Badge kind="bad">Failed</Badge>}
        </h3>
        <p>
          <At ms={attempt.startedAt} isExact />: {answerOf({ ...attempt, attempts: attempt.number })}
        </p>
        {attempt.sentAt === null ? null : (
          <>
            <Answer attempt={attempt} />
            <details>
              <summary>Request headers</summary>
              <Headers of={of} sentAt={attempt.sentAt} />
            </details>
          </>
        )}
      </section>
    ))}
  </>
);

/** Shows the beginning of the receiver's answer. Characters that cannot be seen are replaced by a visible one. */
function Answer({ attempt: { answer, responseCode } }: { attempt: AnsweredAttempt }) {
  if (answer === null) return <p>The answer can no longer be decrypted.</p>;
  if (answer === undefined) return responseCode === 0 ? null : <p class="muted">The answer had no body.</p>;
  return (
    <>
      <h4>Response body</h4>
      <Sample>{answer.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{C}\n\t]/gu, '\uFFFD')}</Sample>
    </>
  );
}

/** Descriptions of the signature headers. Tandem keeps no signature, because a copy of it could be sent by others. */
const SIGNATURES = {
  'X-Service-Signature': 'HMAC-SHA256 of “timestamp:body” in hex, under the webhook secret',
  'X-Service-Signature-Previous':
    'only in the 24 hours after a new secret: the same under each previous secret, newest first',
  'Webhook-Signature': 'v1, then HMAC-SHA256 of “event ID.timestamp.body” in base64, under each valid secret',
};

const Headers = ({ of, sentAt }: { of: DeliveryRow; sentAt: number }) => (
  <>
    <Facts
      of={[
        ...Object.entries(unsignedHeaders(of, sentAt)).map(([name, value]) => [name, <code>{value}</code>] as const),
        ...Object.entries(SIGNATURES),
      ]}
    />
    <p class="hint">
      Tandem keeps no signature. <a href="/docs/webhooks">How to verify a signature</a>
    </p>
  </>
);
