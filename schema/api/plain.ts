import * as z from 'zod';

// Fields that take any value of their type, each with its description.

export const stringOf = (description: string) => z.string().describe(description);
export const stringOrNull = (description: string) => z.string().nullable().describe(description);
export const stringOrAbsent = (description: string) => z.string().optional().describe(description);
export const intOf = (description: string) => z.int().describe(description);
export const intOrNull = (description: string) => z.int().nullable().describe(description);
export const booleanOf = (description: string) => z.boolean().describe(description);
export const numberOf = (description: string) => z.number().describe(description);
