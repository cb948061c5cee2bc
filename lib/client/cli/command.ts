import type { Tandem } from '../tandem.ts';
import type { Arguments, Option } from './options.ts';
import type { Place } from './trigger.ts';

/** Result of a CLI command: the API's answer, and the lines that print it for a person. */
export interface Outcome {
  answer: unknown;
  lines: string[];
  /** True if the API answered but the operation failed, for example a scheduling job. */
  isFailure?: boolean;
}

export interface Command {
  options: Option[];
  run: (tandem: Tandem, args: Arguments, words: string[], place: Place) => Promise<Outcome>;
}
