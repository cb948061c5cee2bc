import { randomUUID } from 'node:crypto';

export type MessageState = 'CREATED' | 'ACTIVE' | 'RETRY';

/** Headers as data, so that a message can be saved to disk. */
export type HeaderList = [name: string, value: string][];

export interface Message {
  messageId: string;
  url: string;
  method: string;
  /** Headers of the delivery. Forwarded headers lose their prefix. */
  headers: HeaderList;
  body: Uint8Array<ArrayBuffer>;
  createdAt: number;
  notBefore: number;
  maxRetries: number;
  retried: number;
  retryDelay: string | undefined;
  timeoutMs: number | undefined;
  queueName: string | undefined;
  deduplicationId: string | undefined;
  label: string | undefined;
  flowControl: { key: string; parallelism: number } | undefined;
  callback: CallbackTarget | undefined;
  failureCallback: CallbackTarget | undefined;
  callerIp: string;
  state: MessageState;
}

/** Callback to which a result is reported, with the publish headers of the report. */
export interface CallbackTarget {
  url: string;
  headers: HeaderList;
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
  const retryDelay = sent.get('upstash-retry-delay');
  if (retryDelay !== null) checkExpression(retryDelay);
  return {
    messageId: `msg_${randomUUID().replaceAll('-', '')}`,
    url,
    method: sent.get('upstash-method') ?? 'POST',
    headers: forwarded(sent),
    body,
    createdAt: now,
    notBefore: readNotBefore(sent, now),
    maxRetries: readCount(sent, 'upstash-retries') ?? DEFAULT_RETRIES,
    retried: 0,
    callerIp: '127.0.0.1',
    state: 'CREATED',
    retryDelay: retryDelay ?? undefined,
    timeoutMs: readDuration(sent, 'upstash-timeout'),
    queueName: sent.get('upstash-queue-name') ?? undefined,
    deduplicationId: sent.get('upstash-deduplication-id') ?? undefined,
    label: sent.get('upstash-label') ?? undefined,
    flowControl: readFlowControl(sent),
    callback: readCallback(sent, 'upstash-callback'),
    failureCallback: readCallback(sent, 'upstash-failure-callback'),
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

function readNotBefore(sent: Headers, now: number): number {
  const seconds = readCount(sent, 'upstash-not-before');
  if (seconds !== undefined) return seconds * 1000;
  return now + (readDuration(sent, 'upstash-delay') ?? 0);
}

function readCallback(sent: Headers, prefix: string): CallbackTarget | undefined {
  const url = sent.get(prefix);
  if (url === null) return undefined;
  if (!URL.canParse(url)) throw new InvalidMessage(`invalid ${prefix} header`);
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const [name, value] of sent) {
    if (name.startsWith(`${prefix}-`)) headers.set(`upstash-${name.slice(prefix.length + 1)}`, value);
  }
  return { url, headers: [...headers] };
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

function readCount(sent: Headers, name: string): number | undefined {
  const text = sent.get(name);
  if (text === null) return undefined;
  if (!/^\d+$/.test(text)) throw new InvalidMessage(`invalid ${name} header`);
  return Number(text);
}

function readDuration(sent: Headers, name: string): number | undefined {
  const text = sent.get(name);
  if (text === null) return undefined;
  const duration = parseDuration(text);
  if (duration === undefined) throw new InvalidMessage(`invalid ${name} header`);
  return duration;
}

function checkExpression(expression: string) {
  try {
    evaluate(expression, 0);
  } catch {
    throw new InvalidMessage('invalid upstash-retry-delay header');
  }
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

const FUNCTIONS: Record<string, (...args: number[]) => number> = {
  pow: Math.pow,
  sqrt: Math.sqrt,
  abs: Math.abs,
  exp: Math.exp,
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
  min: Math.min,
  max: Math.max,
};
const TOKEN = /\s*(\d+(?:\.\d+)?|[a-z]+|[-+*/%(),])\s*/gy;

/** Evaluates an `Upstash-Retry-Delay` expression to milliseconds. Throws if it is invalid. */
export function evaluate(expression: string, retried: number): number {
  const tokens = tokenize(expression);
  let at = 0;

  function take(wanted?: string): string {
    const token = tokens[at];
    if (token === undefined || (wanted !== undefined && token !== wanted)) throw new Error('invalid expression');
    at += 1;
    return token;
  }

  function sum(): number {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') value = take() === '+' ? value + product() : value - product();
    return value;
  }

  function product(): number {
    let value = factor();
    while (tokens[at] === '*' || tokens[at] === '/' || tokens[at] === '%') {
      const operator = take();
      const right = factor();
      value = operator === '*' ? value * right : operator === '/' ? value / right : value % right;
    }
    return value;
  }

  function factor(): number {
    const token = take();
    if (token === '-') return -factor();
    if (token === '(') return closed(sum());
    if (token === 'retried') return retried;
    if (/^\d/.test(token)) return Number(token);
    const call = FUNCTIONS[token];
    if (call === undefined) throw new Error(`unknown name ${token}`);
    take('(');
    const args = [sum()];
    while (tokens[at] === ',') {
      take();
      args.push(sum());
    }
    return closed(call(...args));
  }

  function closed(value: number): number {
    take(')');
    return value;
  }

  const value = sum();
  if (at !== tokens.length) throw new Error('invalid expression');
  return value;
}

function tokenize(expression: string): string[] {
  const tokens = [...expression.matchAll(TOKEN)];
  const length = tokens.reduce((sum, [whole]) => sum + whole.length, 0);
  if (length !== expression.length) throw new Error('invalid expression');
  return tokens.map(([, token = '']) => token);
}
