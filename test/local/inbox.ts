import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { HOSTS } from './hosts.ts';
import type { StandIn, WorldClock } from './stand-in.ts';

/** A webhook as it arrived. */
export interface InboxDelivery {
  url: string;
  headers: Record<string, string>;
  body_text: string;
  received_at: string;
}

/** What the endpoint answers: to every delivery, or to the next `times` at this host and path. */
export const InboxAnswer = z.strictObject({
  status: z.int().min(200).max(599).default(200),
  delay_ms: z.int().min(0).max(600_000).default(0),
  times: z.int().min(1).optional(),
  host: z.string().optional(),
  path: z.string().startsWith('/').optional(),
  body: z.string().default('ok'),
  headers: z.record(z.string(), z.string()).default({}),
  /** Knows this secret alone: answers 401 to what it did not sign, whatever `status` says. */
  secret: z.string().min(1).optional(),
});
export type InboxAnswer = z.infer<typeof InboxAnswer>;

/** What came and what is to be answered, as plain data. */
export interface KeptInbox {
  hosts: Set<string>;
  deliveries: InboxDelivery[];
  answers: { answer: InboxAnswer; left: number }[];
}

export interface Inbox extends StandIn {
  /** What it holds, to be kept. */
  keep(): KeptInbox;
  deliveries(): InboxDelivery[];
  clear(): void;
  /** Sets an answer; one without `times` replaces the standing one of the same host and path. */
  answer(answer: z.input<typeof InboxAnswer>): void;
  /** Makes another host an inbox too. */
  addHost(host: string): void;
  isHost(host: string): boolean;
}

/** A platform's webhook endpoint: every path under its hosts records what comes and answers what it is told. */
export function createInbox(clock: WorldClock, kept?: KeptInbox): Inbox {
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
    async fetch(request) {
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
    keep: () => ({ hosts, deliveries, answers }),
    deliveries: () => deliveries,
    clear() {
      deliveries = [];
    },
    answer(input) {
      const answer = InboxAnswer.parse(input);
      if (answer.times === undefined) answers = answers.filter((other) => !replaces(answer, other.answer));
      answers.push({ answer, left: answer.times ?? Number.POSITIVE_INFINITY });
    },
    addHost: (host) => hosts.add(host),
    isHost: (host) => hosts.has(host),
    close: async () => {},
  };
}

/** Whether a delivery's main signature is this secret's, by the published formula. */
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
