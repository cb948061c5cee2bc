import type * as z from 'zod';
import type { Operation, PartOf } from '../../../schema/api/operation.ts';

/** Example request of an operation, with its answer. */
export interface Example {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  answer?: unknown;
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

type ExampleOf<O extends Operation> = ParamsOf<O> & QueryOf<O> & BodyOf<O> & AnswerOf<O>;

/** Examples for the operations of a group, typed by each operation's schemas. */
export type ExamplesOf<Api> = {
  [Name in keyof Api as Api[Name] extends Operation ? Name : never]: Api[Name] extends Operation
    ? ExampleOf<Api[Name]>
    : never;
};
