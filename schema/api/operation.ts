import type * as z from 'zod';
import type { ErrorCode, FieldCodes } from './http-errors.ts';

/** The contract of one endpoint: its input, its answer and its errors. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  summary: string;
  description?: string;
  /** `none` and `open` require no key; `none` is rate limited by IP, `open` is not limited. */
  key: 'platform' | 'user' | 'none' | 'open';
  params?: z.ZodObject;
  query?: z.ZodType;
  /** Schemas of query parameters as the OpenAPI document shows them, in place of the real schemas, which parse text. */
  shown?: Record<string, z.ZodType>;
  body?: z.ZodType;
  isBodyOptional?: boolean;
  /** Largest body in bytes, if it may be larger than 64 KiB. */
  largestBody?: number;
  /** True if an unknown field in the body is an error. Otherwise the answer's `warnings` name it. */
  refusesUnknownFields?: boolean;
  answer: JsonAnswer | { status: 302; is: string };
  /** Error codes of the operation's fields that differ from the usual codes in `FIELD_CODES`. */
  codes?: Readonly<Record<string, FieldCodes>>;
  /** Error codes that this operation can return beyond those for keys, rate limits, bodies and parameters. */
  errors?: readonly ErrorCode[];
  /** Descriptions of the HTML pages that the operation can return, keyed by status. */
  pages?: Record<number, string>;
  takesIdempotencyKey?: boolean;
  /** The answer contains an API key, so Tandem derives it again for an `Idempotency-Key` instead of storing it. */
  retriesByKey?: boolean;
  /** True if the operation only reads although its method is POST. */
  changesNothing?: boolean;
  /**
   * When Postgres checks the API key of a request that changes something, if this isolate has seen the key before.
   * Without this field, the handler begins after the check.
   * - `beside_load`: while the handler loads what it is going to change. The handler then awaits `ctx.admitted`.
   * - `in_batch`: in the handler's first batch, which fails if the key no longer works. No request may succeed without
   *   this batch, so the handler must not look for an earlier answer first.
   */
  keyCheck?: 'beside_load' | 'in_batch';
}

type JsonAnswer = { status?: 200 | 201 | 202; is: string; schema: z.ZodType };

export type JsonOperation = Operation & { answer: JsonAnswer };

type Call = `${Operation['method']} ${string}`;
type Called<C extends Call> = C extends `${infer Method extends Operation['method']} ${string}`
  ? { method: Method; path: string }
  : never;
type Rest = Omit<Operation, 'method' | 'path'>;

/** Describes the endpoint of a call such as `get /health`. TypeScript infers the types of its schemas. */
export function operation<const C extends Call, const O extends Rest>(call: C, record: O): Called<C> & O {
  const [method, path] = call.split(' ');
  // A call has these two parts, so the cast is safe.
  return { method, path, ...record } as unknown as Called<C> & O;
}

export const platformOperation = <const C extends Call, const O extends Omit<Rest, 'key'>>(call: C, record: O) =>
  operation(call, { key: 'platform', ...record });

export const userOperation = <const C extends Call, const O extends Omit<Rest, 'key'>>(call: C, record: O) =>
  operation(call, { key: 'user', ...record });

export type AnswerOf<O extends JsonOperation> = z.output<O['answer']['schema']>;

export type PartOf<O extends Operation, Part extends 'params' | 'query' | 'body'> = O[Part] extends z.ZodType
  ? z.output<O[Part]>
  : undefined;

/** An answer with a field that the operation's schema does not name fails to compile when intersected with this. */
export type Documented<Shape, Given> = [Undocumented<Shape, Given>] extends [never]
  ? unknown
  : { 'not in the contract': Undocumented<Shape, Given> };

type Leaf = string | number | boolean | null | undefined;
type Items<List> = List extends readonly (infer Item)[] ? Item : never;
/** Members of the union type `Shape` to which a value of the type `Given` can be assigned. */
type Fitting<Shape, Given> = Shape extends unknown ? (Given extends Shape ? Shape : never) : never;
type Field<Shape, Name> = Shape extends unknown ? (Name extends keyof Shape ? Shape[Name] : never) : never;
type Names<Shape> = Shape extends unknown ? keyof Shape : never;

type Undocumented<Shape, Given> = Given extends Leaf
  ? never
  : Given extends readonly unknown[]
    ? Undocumented<Items<Shape>, Items<Given>>
    : UndocumentedField<Fitting<Shape, Given>, Given>;

type UndocumentedField<Shape, Given> = {
  [Name in keyof Given & string]-?: Name extends Names<Shape> ? Undocumented<Field<Shape, Name>, Given[Name]> : Name;
}[keyof Given & string];
