/**
 * In the place of the protocol package's own (wrangler.toml): its validator is for answers to questions that a server asks
 * in requests of its own. Ours asks in its answers, and what comes back is read by `Agreed`.
 */
export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new Error('answers to questions are read by their own schema');
  }
}
