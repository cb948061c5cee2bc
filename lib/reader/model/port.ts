export interface Message {
  role: 'system' | 'user';
  content: string;
}

export interface ReadingModel {
  /**
   * Returns undefined without a model, after so many failures that it rests, if it fails, or if it gives no answer
   * before `deadline`, in epoch ms. It never throws.
   */
  ask(messages: readonly Message[], schema: object, deadline: number): Promise<unknown>;
}
