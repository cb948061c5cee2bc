import type * as z from 'zod';
import type { ErrorCode, FieldCodes } from './http-errors.ts';

/** One endpoint in the words of its users: what it takes, what it answers, how it refuses. */
export interface Operation {
  method: 'get' | 'post' | 'put' | 'delete';
  /** With parameters in braces. */
  path: string;
  /** The document's `operationId`. */
  id: string;
  summary: string;
  description?: string;
  /** The kind of key; `none` with a limit by IP, `open` without. */
  key: 'platform' | 'user' | 'none' | 'open';
  params?: z.ZodObject;
  query?: z.ZodType;
  /** Query parameters in other words than their schema, which reads text. */
  shown?: Record<string, z.ZodType>;
  body?: z.ZodType;
  isBodyOptional?: boolean;
  /** Refuses a body with a field it does not know; else the answer's `warnings` name it. */
  refusesUnknownFields?: boolean;
  answer: JsonAnswer | { status: 302; is: string };
  /** Codes of its fields that have one of their own here. */
  codes?: Readonly<Record<string, FieldCodes>>;
  /** Refusals of its own; those of keys, limits, bodies and parameters are known. */
  errors?: readonly ErrorCode[];
  /** Answers for a browser, by status. */
  pages?: Record<number, string>;
  takesIdempotencyKey?: boolean;
  /** It only reads, though its method does not say so. */
  changesNothing?: boolean;
}

interface JsonAnswer {
  status?: 200 | 202;
  is: string;
  schema: z.ZodType;
}

/** An operation that answers JSON. */
export type JsonOperation = Operation & { answer: JsonAnswer };

/** The record as it is, with the types of its schemas. */
export const operation = <const O extends Operation>(record: O): O => record;

/** The success answer's body. */
export type AnswerOf<O extends JsonOperation> = z.output<O['answer']['schema']>;

/** A checked part of the request; undefined where the operation has no such part. */
export type PartOf<O extends Operation, Part extends 'params' | 'query' | 'body'> = O[Part] extends z.ZodType
  ? z.output<O[Part]>
  : undefined;

/** Asked of a value beside its own type, so that a field `Shape` does not name refuses to compile, wherever it was made. */
export type Documented<Shape, Given> = [Undocumented<Shape, Given>] extends [never]
  ? unknown
  : { 'not in the contract': Undocumented<Shape, Given> };

type Leaf = string | number | boolean | null | undefined;
type Items<List> = List extends readonly (infer Item)[] ? Item : never;
/** The members of a union that the value is one of, and all their fields. */
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
