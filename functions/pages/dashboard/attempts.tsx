import { unsignedHeaders } from '../../../lib/webhooks/delivery-headers.ts';
import type { AnsweredAttempt } from '../../../lib/webhooks/delivery-log.ts';
import type { DeliveryRow } from '../../../schema/delivery/deliveries-log.ts';
import { At } from '../clock.tsx';
import { Badge, Fact, Sample } from '../components.tsx';

type Attempted = Pick<DeliveryRow, 'attempts' | 'error' | 'responseCode' | 'durationMs'>;

/** Returns words for how a webhook delivery or attempt ended, or why no attempt was made. */
export const answerOf = ({ attempts, error, responseCode, durationMs }: Attempted) => {
  if (attempts === 0) return error ?? '';
  const what = error ?? `answered ${responseCode}`;
  return what.startsWith('not sent') ? what : `${what} in ${durationMs.toLocaleString('en-GB')} ms`;
};

export const Attempts = ({ of, attempts }: { of: DeliveryRow; attempts: readonly AnsweredAttempt[] }) => (
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
    <dl class="facts headers">
      {Object.entries(unsignedHeaders(of, sentAt)).map(([name, value]) => (
        <Fact name={name}>
          <code>{value}</code>
        </Fact>
      ))}
      {Object.entries(SIGNATURES).map(([name, what]) => (
        <Fact name={name}>{what}</Fact>
      ))}
    </dl>
    <p class="hint">
      Tandem keeps no signature. <a href="/docs/webhooks">How to verify a signature</a>
    </p>
  </>
);
