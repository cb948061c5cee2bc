/**
 * Replaces the MCP package's validator, by an alias in wrangler.toml. It checks responses to requests that a server
 * sends, and Tandem sends none: its question is in the answer, and `Agreed` in `server.ts` checks the response.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This shim does not validate; each schema validates its own answer.');
  }
}
