import type { Env } from '../http/env.ts';

export type Given = Record<string, string | undefined>;
export type Ask = (request: Request) => Promise<Response>;

/** `ask` says what works, or throws an error that says what is wrong and how to fix it. */
export interface Check {
  name: string;
  needs: (keyof Env)[];
  ask(env: Given, ask: Ask, now: number): Promise<string>;
}

export interface Finding {
  name: string;
  state: 'ok' | 'warning' | 'failed' | 'skipped';
  text: string;
}

export class Wrong extends Error {}
/** A finding that somebody should know about, although nothing fails yet. */
export class Worth extends Error {}
