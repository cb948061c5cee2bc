import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { HOSTS, type WorldClock } from './targets.ts';

export interface InboxDelivery {
  url: string;
  headers: Record<string, string>;
  body_text: string;
  received_at: string;
}

/** Answer of the endpoint to every delivery, or to the next `times` at this host and path. */
export const InboxAnswer = z.strictObject({
  status: z.int().min(200).max(599).default(200),
  delay_ms: z.int().min(0).max(600_000).default(0),
  times: z.int().min(1).optional(),
  host: z.string().optional(),
  path: z.string().startsWith('/').optional(),
  body: z.string().default('ok'),
  headers: z.record(z.string(), z.string()).default({}),
  /**
   * Only secret that the endpoint knows. It answers 401 to a delivery that this secret did not sign, whatever `status`
   * says.
   */
  secret: z.string().min(1).optional(),
});
export type InboxAnswer = z.infer<typeof InboxAnswer>;

export interface KeptInbox {
  hosts: Set<string>;
  deliveries: InboxDelivery[];
  answers: { answer: InboxAnswer; left: number }[];
}

export type Inbox = ReturnType<typeof createInbox>;

/** Creates the webhook endpoint of platforms. Every path under its hosts records deliveries and answers as told. */
export function createInbox(clock: WorldClock, kept?: KeptInbox) {
  const hosts = new Set<string>(kept?.hosts ?? [HOSTS.inbox]);
  let deliveries = kept?.deliveries ?? [];
  let answers = kept?.answers ?? [];

  function nextAnswer(url: URL): InboxAnswer {
    const fitting = answers.filter(({ answer, left }) => left > 0 && fits(answer, url));
    const chosen = fitting.find(({ answer }) => answer.times !== undefined) ?? fitting.at(-1);
    if (chosen === undefined) return InboxAnswer.parse({});
    chosen.left -= 1;
    return chosen.answer;
  }

  return {
    async fetch(request: Request) {
      const url = new URL(request.url);
      const delivery = {
        url: `https://${url.host}${url.pathname}${url.search}`,
        headers: Object.fromEntries(request.headers),
        body_text: await request.text(),
        received_at: new Date(clock.now()).toISOString(),
      };
      deliveries.push(delivery);
      const { status, delay_ms, body, headers, secret } = nextAnswer(url);
      if (secret !== undefined && !isSignedBy(secret, delivery))
        return new Response('unknown signature', { status: 401 });
      if (delay_ms > 0) await sleep(delay_ms);
      return new Response(status === 204 || status === 304 ? null : body, { status, headers });
    },
    keep: (): KeptInbox => ({ hosts, deliveries, answers }),
    deliveries: () => deliveries,
    clear() {
      deliveries = [];
    },
    /** Sets an answer. One without `times` replaces the current one of the same host and path. */
    answer(input: z.input<typeof InboxAnswer>) {
      const answer = InboxAnswer.parse(input);
      if (answer.times === undefined) answers = answers.filter((other) => !replaces(answer, other.answer));
      answers.push({ answer, left: answer.times ?? Number.POSITIVE_INFINITY });
    },
    addHost: (host: string) => hosts.add(host),
    isHost: (host: string) => hosts.has(host),
  };
}

/** Returns true if this secret made the delivery's main signature, by the published formula. */
export function isSignedBy(
  secret: string,
  { headers, body_text }: Pick<InboxDelivery, 'headers' | 'body_text'>,
): boolean {
  const signed = createHmac('sha256', secret).update(`${headers['x-service-timestamp']}:${body_text}`);
  return signed.digest('hex') === headers['x-service-signature'];
}

function fits(answer: InboxAnswer, url: URL): boolean {
  return (answer.host ?? url.hostname) === url.hostname && (answer.path ?? url.pathname) === url.pathname;
}

function replaces(answer: InboxAnswer, other: InboxAnswer): boolean {
  return other.times === undefined && other.host === answer.host && other.path === answer.path;
}
