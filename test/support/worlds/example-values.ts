import { createHash } from 'node:crypto';
import type { Example } from '../../../functions/openapi/examples.ts';

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Texts that several answers may have in common: each gets a text of its own of the same form. */
const NUMBERED: [pattern: RegExp, letters: string][] = [
  [/(?<=\b(?:meet|prop|time|sched|batch|wh|wh_del|learn|rule|plat|sess|audit)_)[A-Za-z0-9]{16,}/g, BASE62],
  [/(?<=\/p\/)[\w-]{43}/g, `${BASE62}-_`],
  [/(?<=meet\.google\.com\/)[a-z-]+/g, 'abcdefghijklmnopqrstuvwxyz'],
  [/\b[0-9a-f]{40}\b/g, '0123456789abcdef'],
  [/(?<=\bsk_(?:live|user)_…)\w+/g, '0123456789abcdef'],
];

const FIXED: [pattern: RegExp, value: string][] = [
  [/http:\/\/localhost:\d+/g, 'https://api.tandem.example'],
  [/https:\/\/inbox\.platform\.test\/acme(?:-old)?/g, 'https://hooks.acme.example/tandem'],
  [/\bowner@platform\.test\b/g, 'dev@acme.example'],
  [/\b(sk_live|sk_user|pk_live|whsec)_[\w+/=-]{20,}/g, '$1_example'],
  [/(?<=\blink=)[\w.-]+/g, 'eyJhbGciOiJIUzI1NiJ9.example'],
  // An instant is the same in every run but for its seconds, because each step of the story begins with a minute.
  [/(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d\.\d{3}Z/g, '$1:00.000Z'],
];

const OF_FIELDS: Record<string, unknown> = {
  version: '1.0.0',
  request_id: 'req_2nBq7',
  network: '198.51.100.0/24',
  duration_ms: 5,
  avg_response_time_ms: 11,
  processing_time_ms: 70_369,
  next_cursor: 'MTg5NDAwNjgwMTM5NC51c3JfdmJFTEQxQ0ZkMEZWTUhDd2MyY3c',
};

/** Returns a function that makes an example of what was sent and answered, the same in every run. */
export function stableValues() {
  const known = new Map<string, string>();

  function numbered(found: string, letters: string): string {
    const bytes = createHash('sha512').update(String(known.size)).digest();
    const made = [...found].map((one, at) =>
      letters.includes(one) ? letters[(bytes[at] ?? 0) % letters.length] : one,
    );
    if (!known.has(found)) known.set(found, made.join(''));
    return known.get(found) ?? '';
  }

  function stableText(text: string): string {
    const fixed = FIXED.reduce((all, [pattern, value]) => all.replaceAll(pattern, value), text);
    return NUMBERED.reduce(
      (all, [pattern, letters]) => all.replaceAll(pattern, (found) => numbered(found, letters)),
      fixed,
    );
  }

  function stable(value: unknown, name = ''): unknown {
    if (value !== null && name in OF_FIELDS) return OF_FIELDS[name];
    if (typeof value === 'string') return stableText(value);
    if (Array.isArray(value)) return value.map((part) => stable(part, name));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, stable(part, key)]));
  }

  return (played: object) => stable(played) as Example;
}
