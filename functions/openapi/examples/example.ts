import type * as z from 'zod';
import type { Operation, PartOf } from '../../../schema/api/operation.ts';

export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  answer?: unknown;
  /** Name and summary of this example. Required if there are `others`. */
  named?: Named;
  others?: (Named & { body?: unknown; answer?: unknown })[];
}

interface Named {
  name: string;
  summary: string;
}

type BodyOf<O extends Operation> = O['body'] extends z.ZodType ? { body: z.input<O['body']> } : { body?: never };
type ParamsOf<O extends Operation> =
  PartOf<O, 'params'> extends object ? { params: Record<keyof PartOf<O, 'params'>, string> } : { params?: never };
type QueryOf<O extends Operation> = O['query'] extends z.ZodType
  ? { query?: { [Name in keyof z.input<O['query']>]?: string } }
  : { query?: never };
type AnswerOf<O extends Operation> = O['answer'] extends { schema: infer S extends z.ZodType }
  ? { answer: z.output<S> }
  : { answer?: never };

type OthersOf<O extends Operation> =
  | { named?: never; others?: never }
  | { named: Named; others: (Named & BodyOf<O> & AnswerOf<O>)[] };
type ExampleOf<O extends Operation> = ParamsOf<O> & QueryOf<O> & BodyOf<O> & AnswerOf<O> & OthersOf<O>;

export type ExamplesOf<Api> = {
  [Name in keyof Api as Api[Name] extends Operation ? Name : never]: Api[Name] extends Operation
    ? ExampleOf<Api[Name]>
    : never;
};

export function shownIn({ named, others, ...example }: Example, part: 'body' | 'answer') {
  if (named === undefined || others === undefined) return { example: example[part] };
  const all = [{ ...named, body: example.body, answer: example.answer }, ...others];
  return {
    examples: Object.fromEntries(all.map(({ name, summary, ...one }) => [name, { summary, value: one[part] }])),
  };
}
