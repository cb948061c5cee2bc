/**
 * Replaces the MCP package's own JSON Schema validator, by an alias in wrangler.toml. That validator checks responses
 * to requests that a server sends to a client. Tandem sends no such requests: it puts its question into the answer to
 * the tool call, and `Agreed` in `server.ts` checks the user's response.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This shim does not validate; each schema validates its own answer.');
  }
}
