export interface Message {
  role: 'system' | 'user';
  content: string;
}

export interface ReadingModel {
  /** Never throws. Undefined without an answer before `deadline` (epoch ms), or while it rests after failures. */
  ask(messages: readonly Message[], schema: object, deadline: number): Promise<unknown>;
}
