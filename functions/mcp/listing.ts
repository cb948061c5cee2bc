import type { JSONObject, Tool as Listed, ToolAnnotations } from '@modelcontextprotocol/server';
import type * as z from 'zod';
import { CONFIRMATION_SAID } from '../../lib/tools/confirmation.ts';
import type { Hints, Tool } from '../../lib/tools/tool.ts';
import { isJson, type Json, wholeSchema } from '../http/whole-schema.ts';

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
    outputSchema: { ...answerInShort(output), type: 'object' },
    annotations: annotationsOf(hints),
  };
};

interface ObjectSchema extends Json {
  properties?: Record<string, Json>;
}

const inOtherWords = (shown: Record<string, z.ZodType>): Record<string, Json> =>
  Object.fromEntries(Object.entries(shown).map(([field, words]) => [field, inShort(words)]));

const annotationsOf = ({ readOnly, destructive, idempotent, openWorld }: Hints): ToolAnnotations => ({
  ...(readOnly ? { readOnlyHint: true } : { destructiveHint: destructive }),
  ...(!readOnly && idempotent ? { idempotentHint: true } : {}),
  ...(openWorld ? {} : { openWorldHint: false }),
});

/** Saves the model's context. Names explain themselves, and an invalid argument is refused with a reason. */
const inShort = (schema: z.ZodType): Json =>
  without(wholeSchema(schema), [
    'description',
    'pattern',
    'propertyNames',
    'minLength',
    'maxLength',
    'minimum',
    'maximum',
  ]);

/** A model reads there what an answer can contain, and sees in each answer which fields it has. */
const answerInShort = (schema: z.ZodType): Json =>
  withoutPlainParts(without(inShort(schema), ['required', 'additionalProperties']));

const withoutPlainParts = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([name, part]) => {
      if (!isJson(part)) return name === 'type' && 'enum' in schema ? [] : [[name, part]];
      const isPlain = name === 'items' && schema.type === 'array' && Object.keys(part).every((key) => key === 'type');
      return isPlain ? [] : [[name, withoutPlainParts(part)]];
    }),
  );

function without(schema: Json, names: readonly string[], isFields = false): Json {
  const kept = Object.entries(schema).filter(([name]) => isFields || !names.includes(name));
  return Object.fromEntries(
    kept.map(([name, part]) => [name, isJson(part) ? without(part, names, !isFields && name === 'properties') : part]),
  );
}
