import * as z from 'zod';
import { type Docs, docs } from '#docs';

// Fields that take any value of their type, each with its description.

export const stringOf = (description: Docs) => z.string().describe(docs(description));
export const stringOrNull = (description: Docs) => z.string().nullable().describe(docs(description));
export const stringOrAbsent = (description: Docs) => z.string().optional().describe(docs(description));
export const intOf = (description: Docs) => z.int().describe(docs(description));
export const intOrNull = (description: Docs) => z.int().nullable().describe(docs(description));
export const booleanOf = (description: Docs) => z.boolean().describe(docs(description));
export const numberOf = (description: Docs) => z.number().describe(docs(description));
