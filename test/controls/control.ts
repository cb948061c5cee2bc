import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Edit of one place in a file: the text to find and its replacement. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

/** Safeguard to switch off, or fault to insert. At least one of the suites must then fail. */
export interface Control {
  name: string;
  edits: Edit[];
  suites: string[];
  /** Text that the failure must contain. Without it, any failure of a test proves the safeguard. */
  says?: string;
}

/** `also` is a further safeguard that would do the same work, switched off together with it. */
type Safeguard = Edit & { also?: Edit; suite?: string };

/** Returns the controls of safeguards by name. The suite that fails without one is `usual`, unless it has its own. */
export const controlsOf = (safeguards: Record<string, Safeguard>, usual: string): Control[] =>
  Object.entries(safeguards).map(([name, { also, suite = usual, ...edit }]) => ({
    name,
    edits: also ? [edit, also] : [edit],
    suites: [suite],
  }));

/** Returns the file's text after the edit. Throws unless the text to find occurs exactly once. */
export function edited(root: string, { file, from, to }: Edit): string {
  const source = readFileSync(join(root, file), 'utf8');
  if (source.split(from).length !== 2) throw new Error(`"${from}" must match exactly one place of ${file}`);
  return source.replace(from, () => to);
}
