import type { StandIn } from './stand-in.ts';

const READINGS: [pattern: RegExp, weights: Record<string, unknown>][] = [
  [/morning/i, { time_of_day_preference: { morning: 1.6, afternoon: 0.8, evening: 0.5 } }],
  [/afternoon/i, { time_of_day_preference: { morning: 0.7, afternoon: 1.6, evening: 0.8 } }],
  [/evening|late/i, { time_of_day_preference: { morning: 0.4, afternoon: 0.9, evening: 1.6 } }],
  [/friday/i, { day_of_week_preference: { friday: 0.3 } }],
  [/monday/i, { day_of_week_preference: { monday: 0.3 } }],
  [/back.to.back|buffer|breather/i, { buffer_importance: 1.6 }],
];

/** Reasons that take more than rules to read; all others are answered with words, which do not fit. */
const WISHES: [pattern: RegExp, wish: Record<string, unknown>][] = [
  [/middle of the night/i, { clock_time: 'later' }],
  [/nap time|school run in the afternoon/i, { clock_to: '12:00' }],
];

export interface Llm extends StandIn {
  /** What it was asked, oldest first. */
  requests(): { path: string; input: unknown }[];
}

const KEPT = 1_000;

/** The AI binding's stand-in: reads the last message against small tables and answers weights, or a wish, as JSON. */
export function createLlm(): Llm {
  const asked: { path: string; input: unknown }[] = [];
  return {
    async fetch(request) {
      const input: unknown = await request.json();
      asked.push({ path: new URL(request.url).pathname, input });
      if (asked.length > KEPT) asked.shift();
      const text = lastMessage(input);
      if (JSON.stringify(input).includes('"clock_time"')) {
        const wish = WISHES.find(([pattern]) => pattern.test(text))?.[1];
        return Response.json({ response: wish === undefined ? 'I cannot tell.' : JSON.stringify(wish) });
      }
      const weights = READINGS.filter(([pattern]) => pattern.test(text)).map(([, reading]) => reading);
      return Response.json({ response: JSON.stringify(Object.assign({}, ...weights)) });
    },
    requests: () => asked,
    close: async () => {},
  };
}

function lastMessage(input: unknown): string {
  if (typeof input !== 'object' || input === null) return '';
  if ('prompt' in input) return String(input.prompt);
  const last: unknown = 'messages' in input && Array.isArray(input.messages) ? input.messages.at(-1) : undefined;
  return typeof last === 'object' && last !== null && 'content' in last ? String(last.content) : '';
}
