import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';

/** Paths of the files that each run makes once for all its test workers. */
export interface Prepared {
  script: string;
  emptyDatabase: string;
  migratedDatabase: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    prepared: Prepared;
  }
}

export const preparedScript = () => readFile(inject('prepared').script, 'utf8');
export const emptyDatabase = () => openAsBlob(inject('prepared').emptyDatabase);
export const migratedDatabase = () => openAsBlob(inject('prepared').migratedDatabase);
