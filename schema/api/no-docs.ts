// These take the place of `docs.ts` in the Worker. The bundler drops calls of empty functions, and what they were given.

export function docs(_text: string): void {}
export function answer(_fields: unknown): void {}
export function answerOneOf(_forms: unknown): void {}
