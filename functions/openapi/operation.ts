import type * as z from 'zod';
import type { ErrorCode } from '../../lib/errors.ts';

/** One endpoint in the words of its users; what follows from its parts is added by `describeOperation`. */
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
  /** What the path's parameters are. */
  params?: Record<string, string>;
  query?: z.ZodType;
  /** Query parameters in other words than their schema, which reads text. */
  shown?: Record<string, z.ZodType>;
  body?: z.ZodType;
  isBodyOptional?: boolean;
  answer: { status?: 200 | 202; is: string; schema: z.ZodType } | { status: 302; is: string };
  /** Refusals of its own; those of keys, limits, bodies and parameters are known. */
  errors?: readonly ErrorCode[];
  /** Answers for a browser, by status. */
  pages?: Record<number, string>;
  takesIdempotencyKey?: boolean;
}

export interface Group {
  tag: string;
  description: string;
  operations: readonly Operation[];
}
