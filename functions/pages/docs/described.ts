import * as z from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../../schema/api/http-errors.ts';
import type { Operation } from '../../../schema/api/operation.ts';
import document from '../../../schema/openapi.json' with { type: 'json' };
import type { Named } from './schema-rows.ts';

const Content = z.object({
  schema: z.looseObject({}),
  example: z.unknown().optional(),
  examples: z.record(z.string(), z.unknown()).default({}),
});
export type Content = z.infer<typeof Content>;

const Body = z.object({ content: z.object({ 'application/json': Content.optional() }) });
const Described = z.object({
  description: z.string().optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        in: z.string(),
        required: z.boolean(),
        description: z.string().default(''),
        schema: z.looseObject({}),
      }),
    )
    .default([]),
  requestBody: Body.optional(),
  responses: z.record(z.string(), Body.partial()),
});

const PATHS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = document.paths;
const ErrorCodes = z.array(z.enum(ERROR_CODES));

/** Named schemas of the OpenAPI document, keyed by name. */
export const SCHEMAS: Named = document.components.schemas;

/** Returns an operation's entry in the OpenAPI document, reduced to what the documentation pages show. */
export const describedAs = ({ path, method }: Pick<Operation, 'path' | 'method'>) =>
  Described.parse(PATHS[path]?.[method]);

/** Returns every error code with which an operation can be refused, by ascending HTTP status. */
export const codesOf = (operation: Pick<Operation, 'path' | 'method'>): ErrorCode[] =>
  Object.values(describedAs(operation).responses).flatMap(({ content }) =>
    ErrorCodes.parse(Object.keys(content?.['application/json']?.examples ?? {})),
  );
