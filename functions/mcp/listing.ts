import type { JSONObject, Tool as Listed, ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { CONFIRMATION_SAID } from '../../lib/tools/confirmation.ts';
import type { Hints, Tool } from '../../lib/tools/tool.ts';
import { type Json, wholeSchema } from '../openapi/json-schema.ts';

/** Tools as `tools/list` has them. */
export const listingOf = (tools: readonly Tool[]): Listed[] => tools.map(toListed);

const toListed = (tool: Tool): Listed => {
  const { name, title, description, hints, input, shown = {}, output } = tool;
  const { properties, ...schema } = inShort(input) as ObjectSchema;
  const fields = { ...properties, ...inOtherWords(shown) };
  const said = Object.entries({ ...(tool.preview && CONFIRMATION_SAID), ...tool.said });
  const described = said.map(([field, words]) => [field, { ...fields[field], description: words }] as const);
  return {
    name,
    title,
    description,
    inputSchema: {
      ...schema,
      type: 'object',
      properties: { ...fields, ...Object.fromEntries(described) } as JSONObject,
      additionalProperties: false,
    },
    outputSchema: { ...inShort(output), type: 'object' },
    annotations: annotationsOf(hints),
  };
};

interface ObjectSchema extends Json {
  properties?: Record<string, Json>;
}

const inOtherWords = (shown: Record<string, z.ZodType>): Record<string, Json> =>
  Object.fromEntries(Object.entries(shown).map(([field, words]) => [field, inShort(words)]));

/** What the protocol takes for granted is left out. */
const annotationsOf = ({ readOnly, destructive, idempotent, openWorld }: Hints): ToolAnnotations => ({
  ...(readOnly ? { readOnlyHint: true } : { destructiveHint: destructive }),
  ...(!readOnly && idempotent ? { idempotentHint: true } : {}),
  ...(openWorld ? {} : { openWorldHint: false }),
});

/** As short as it can be: names say it, and the check's refusals. */
const inShort = (schema: z.ZodType): Json => without(wholeSchema(schema), ['description', 'pattern', 'propertyNames']);

function without(schema: Json, names: readonly string[], isFields = false): Json {
  const kept = Object.entries(schema).filter(([name]) => isFields || !names.includes(name));
  return Object.fromEntries(
    kept.map(([name, part]) => [
      name,
      isSchema(part) ? without(part, names, !isFields && name === 'properties') : part,
    ]),
  );
}

const isSchema = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
