/**
 * Marks a text that only the OpenAPI document and the docs show, which are written before a deployment: `wrangler.toml`
 * puts `no-docs.ts` in the place of this file, and the Worker does not carry these texts.
 */
export function docs(text: string): Docs {
  return text as Docs;
}

declare const MARKED: unique symbol;
export type Docs = string & { readonly [MARKED]: true };
