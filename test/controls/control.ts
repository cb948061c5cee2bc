import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What stands in one place of a file, and what it is replaced with. */
export interface Edit {
  file: string;
  from: string;
  to: string;
}

/** A safeguard switched off, or a fault put in; one of the suites has to turn red. */
export interface Control {
  name: string;
  edits: Edit[];
  suites: string[];
}

/** The file as it would be after the edit; throws unless the place is there once. */
export function edited(root: string, { file, from, to }: Edit): string {
  const source = readFileSync(join(root, file), 'utf8');
  if (source.split(from).length !== 2) throw new Error(`"${from}" must match exactly one place of ${file}`);
  return source.replace(from, () => to);
}
