import * as z from 'zod';

// `wrangler.toml` puts `no-docs.ts` in the place of this file, so that the Worker does not carry what only the OpenAPI
// document and the docs show, which are written before a deployment.

/** Marks a text of a schema that the Worker needs. */
export const docs = (text: string): string => text;

/** Schema of an object in an answer. TypeScript checks answers, so the Worker needs neither the schema nor its texts. */
export const answer = <T extends z.core.$ZodLooseShape>(fields: () => T) => z.object(fields());

export const answerOneOf = <const T extends readonly z.ZodType[]>(forms: () => T) => z.union(forms());
