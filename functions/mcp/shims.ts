/**
 * Replaces the MCP package's own validator (wrangler.toml). That validator checks answers to questions that a server
 * asks in requests of its own. Tandem asks in its answers, and `Agreed` checks the responses.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('This shim does not validate; each schema validates its own answer.');
  }
}
