import { randomUUID } from 'node:crypto';

/** Headers as data, so that a message can be saved to disk. */
export type HeaderList = [name: string, value: string][];

export interface Message {
  messageId: string;
  url: string;
  method: string;
  /** Headers of the delivery. Forwarded headers lose their prefix. */
  headers: HeaderList;
  body: Uint8Array<ArrayBuffer>;
  notBefore: number;
  maxRetries: number;
  retried: number;
  flowControl: { key: string; parallelism: number } | undefined;
  state: 'CREATED' | 'ACTIVE' | 'RETRY';
}

/** Publish call that cannot be accepted. */
export class InvalidMessage extends Error {}

const DEFAULT_RETRIES = 3;
const FORWARD = 'upstash-forward-';

/** Reads one published message from its destination, its `Upstash-*` headers and its body. */
export function parseMessage(url: string, sent: Headers, body: Uint8Array<ArrayBuffer>, now: number): Message {
  if (!URL.canParse(url) || !/^https?:\/\//.test(url)) {
    throw new InvalidMessage('invalid destination url: endpoint has invalid scheme, add http:// or https://');
  }
  return {
    messageId: `msg_${randomUUID().replaceAll('-', '')}`,
    url,
    method: sent.get('upstash-method') ?? 'POST',
    headers: forwarded(sent),
    body,
    notBefore: now + (read(sent, 'upstash-delay', parseDuration) ?? 0),
    maxRetries: read(sent, 'upstash-retries', readCount) ?? DEFAULT_RETRIES,
    retried: 0,
    state: 'CREATED',
    flowControl: readFlowControl(sent),
  };
}

function forwarded(sent: Headers): HeaderList {
  const headers = new Headers();
  const contentType = sent.get('content-type');
  if (contentType !== null) headers.set('content-type', contentType);
  for (const [name, value] of sent) {
    if (name.startsWith(FORWARD)) headers.set(name.slice(FORWARD.length), value);
  }
  return [...headers];
}

/**
 * Reads the flow control of a message: at most `parallelism` messages with one key are in progress at a time. A rate is
 * accepted but has no effect.
 */
function readFlowControl(sent: Headers): Message['flowControl'] {
  const [key, value] = [sent.get('upstash-flow-control-key'), sent.get('upstash-flow-control-value')];
  if (key === null && value === null) return undefined;
  const parts = (value ?? '').split(/,\s*/).map((part) => /^(parallelism|rate|period)=(\w+)$/.exec(part));
  if (key === null || !/^[\w.-]+$/.test(key) || parts.includes(null))
    throw new InvalidMessage('invalid upstash-flow-control header');
  const parallelism = parts.find((part) => part?.[1] === 'parallelism')?.[2];
  return { key, parallelism: parallelism === undefined ? Number.POSITIVE_INFINITY : Number(parallelism) };
}

const readCount = (text: string) => (/^\d+$/.test(text) ? Number(text) : undefined);

function read(sent: Headers, name: string, parse: (text: string) => number | undefined): number | undefined {
  const text = sent.get(name);
  if (text === null) return undefined;
  const value = parse(text);
  if (value === undefined) throw new InvalidMessage(`invalid ${name} header`);
  return value;
}

const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PARTS = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;

/** Parses a duration as QStash writes it (`10s`, `6m5s`, `7d`) to milliseconds. Returns undefined for other text. */
export function parseDuration(text: string): number | undefined {
  if (!PARTS.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return total;
}
