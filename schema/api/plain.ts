import * as z from 'zod';
import { type Docs, docs } from '#docs';

// Fields of the usual types, each with its description.

export const stringOf = (description: Docs) => z.string().describe(docs(description));
export const stringOrNull = (description: Docs) => z.string().nullable().describe(docs(description));
export const stringOrAbsent = (description: Docs) => z.string().optional().describe(docs(description));
export const intOf = (description: Docs) => z.int().describe(docs(description));
export const intOrNull = (description: Docs) => z.int().nullable().describe(docs(description));
export const intOrAbsent = (description: Docs) => z.int().optional().describe(docs(description));
export const booleanOf = (description: Docs) => z.boolean().describe(docs(description));
export const numberOf = (description: Docs) => z.number().describe(docs(description));
export const arrayOf = <T extends z.ZodType>(of: T, description: Docs) => z.array(of).describe(docs(description));
export const stringsOf = (description: Docs) => arrayOf(z.string(), docs(description));
export const oneOf = <const T extends readonly string[]>(values: T, description: Docs) =>
  z.enum(values).describe(docs(description));
/** Field of a request that is false unless it is sent. */
export const flagOf = (description: Docs) =>
  z.boolean('must be true or false').default(false).describe(docs(description));
export const optionalOf = <T extends z.ZodType>(of: T, description: Docs) => of.optional().describe(docs(description));
