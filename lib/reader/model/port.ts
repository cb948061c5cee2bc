/** A message to the language model. */
export interface Message {
  role: 'system' | 'user';
  content: string;
}

/** The language model that reads texts. */
export interface ReadingModel {
  /**
   * Asks the model for an answer in JSON that fits a JSON schema. Returns undefined if there is no model, if it failed
   * so often that it is not asked for a while, if it fails, or if it gives no answer before `deadline`, an instant in
   * epoch ms. It never throws.
   */
  ask(messages: readonly Message[], schema: object, deadline: number): Promise<unknown>;
}
