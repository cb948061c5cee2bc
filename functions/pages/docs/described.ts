import * as z from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../../schema/api/http-errors.ts';
import type { Operation } from '../../../schema/api/operation.ts';
import type { TEST_EVENT } from '../../../schema/api/webhook-events/names.ts';
import type { EventType } from '../../../schema/api/webhook-events/schemas.ts';
import type { OpenapiDocument } from '../../http/openapi-document.ts';

const Content = z.object({
  schema: z.looseObject({}),
  example: z.unknown().optional(),
  examples: z
    .record(z.string(), z.looseObject({ summary: z.string().optional(), value: z.unknown().optional() }))
    .default({}),
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
        example: z.unknown().optional(),
      }),
    )
    .default([]),
  requestBody: Body.optional(),
  responses: z.record(z.string(), Body.partial()),
});

const ErrorCodes = z.array(z.enum(ERROR_CODES));

/** Returns an operation's entry in the OpenAPI document, reduced to what the documentation pages show. */
export const describedAs = ({ paths }: OpenapiDocument, { path, method }: Pick<Operation, 'path' | 'method'>) =>
  Described.parse(paths[path]?.[method]);

const DescribedEvent = z.object({
  post: z.object({
    summary: z.string(),
    requestBody: z.object({ content: z.object({ 'application/json': Content }) }),
  }),
});

/** Returns an event's summary, and its fields with an example, from the OpenAPI document. */
export function describedEvent(
  { webhooks }: OpenapiDocument,
  type: EventType | typeof TEST_EVENT,
): { summary: string; content: Content } {
  const { post } = DescribedEvent.parse(webhooks[type]);
  return { summary: post.summary, content: post.requestBody.content['application/json'] };
}

/** Returns the examples of a body or of a successful response. Each of several has a summary. */
export const examplesIn = ({ example, examples }: Content): { summary?: string | undefined; value?: unknown }[] =>
  example === undefined ? Object.values(examples) : [{ value: example }];

/** Returns every error code with which an operation can be refused, once, by ascending HTTP status. */
export const codesOf = (document: OpenapiDocument, operation: Pick<Operation, 'path' | 'method'>): ErrorCode[] => [
  ...new Set(
    Object.entries(describedAs(document, operation).responses).flatMap(([status, { content }]) =>
      Number(status) < 400 ? [] : ErrorCodes.parse(Object.keys(content?.['application/json']?.examples ?? {})),
    ),
  ),
];
