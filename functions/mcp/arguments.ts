import * as z from 'zod';
import { AppError } from '../../lib/kit/errors.ts';
import { confirmation } from '../../lib/tools/confirmation.ts';
import type { Tool } from '../../lib/tools/tool.ts';
import { TOOLS } from '../../lib/tools/tools.ts';
import { nearest, readSchema, unknownFields, withoutNulls } from '../http/body-fields.ts';
import { check } from '../http/input.ts';
import { assertMeantToChange } from '../http/trial-fields.ts';
import { isJson } from '../http/whole-schema.ts';

/** Checked arguments of a call to an MCP tool, and the names of arguments that the tool does not know. */
export interface Arguments {
  input: object;
  ignored: string[];
}

/** Arguments of any tool. One that this tool does not have, such as another person's address, changes what is meant. */
const ARGUMENTS = new Set(TOOLS.flatMap(({ input }) => Object.keys(input.shape)));

/**
 * Throws for the first argument that is invalid, misspelled or another tool's, because a model would assume that it was
 * accepted. Clients add others of their own to every call, and no model could leave those out.
 */
export function checkArguments(tool: Tool, given: unknown): Arguments {
  const args = asMeant(tool.input, withoutNulls(tool.input, given));
  const unknown = unknownFields(tool.input, args);
  const names = Object.keys(tool.input.shape);
  if (tool.preview !== undefined) assertMeantToChange(args, tool.input);
  const misspelled = unknown.find(
    ({ path, meant }) => meant !== undefined || nearest(path, names) !== undefined || ARGUMENTS.has(path),
  );
  if (misspelled !== undefined) throw new AppError('invalid_request', misspelled.sentence, { field: misspelled.path });
  return { input: check(tool.input, args), ignored: unknown.map(({ path }) => path) };
}

/**
 * Lists, objects, numbers and booleans may be written as text, and an empty text is no optional argument. An empty
 * `preview` or `confirm_token` is refused, because without it the tool would act.
 */
function asMeant(schema: z.core.$ZodType, value: unknown): unknown {
  const read = readSchema(schema);
  const meant = typeof value === 'string' ? parsed(read, value.trim()) : value;
  if (read instanceof z.ZodArray && Array.isArray(meant)) return meant.map((item) => asMeant(read.element, item));
  // PHP writes an empty object as an empty list.
  if ((read instanceof z.ZodObject || read instanceof z.ZodRecord) && Array.isArray(meant) && meant.length === 0)
    return {};
  if (!(read instanceof z.ZodObject) || !isJson(meant)) return meant;
  const fields = Object.entries(meant).flatMap(([name, field]) => {
    const known = Object.hasOwn(read.shape, name) ? read.shape[name] : undefined;
    if (known === undefined) return [[name, field]];
    const said = asMeant(known, field);
    const isDropped = isOptional(known) && isEmpty(said) && !Object.hasOwn(confirmation, name);
    return isDropped && !z.safeParse(known, said).success ? [] : [[name, said]];
  });
  return Object.fromEntries(fields);
}

function parsed(schema: z.core.$ZodType, text: string): unknown {
  if (schema instanceof z.ZodNumber) return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  if (schema instanceof z.ZodBoolean || schema instanceof z.ZodLiteral)
    return text === 'true' || text === 'false' ? text === 'true' : text;
  if (!(schema instanceof z.ZodArray || schema instanceof z.ZodObject || schema instanceof z.ZodRecord)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

const isOptional = (schema: z.core.$ZodType) => schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
const isEmpty = (value: unknown) => value === '' || (isJson(value) && Object.keys(value).length === 0);
