import examples from './examples.json' with { type: 'json' };

type Named = { name: string; summary: string };

export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  answer?: unknown;
  named?: Named;
  others?: (Named & { body?: unknown; answer?: unknown })[];
}

/**
 * By operation id. Read in order, the examples tell one story. `test/functions/docs/openapi-examples.long.test.ts` plays
 * the story and writes them.
 */
export const EXAMPLES: Readonly<Record<string, Example>> = examples;

export function shownIn({ named, others, ...example }: Example, part: 'body' | 'answer') {
  if (named === undefined || others === undefined) return { example: example[part] };
  const all = [{ ...named, body: example.body, answer: example.answer }, ...others];
  return {
    examples: Object.fromEntries(all.map(({ name, summary, ...one }) => [name, { summary, value: one[part] }])),
  };
}
