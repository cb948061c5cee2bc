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

/** Returns the production Worker as one module. */
export const preparedScript = () => readFile(inject('prepared').script, 'utf8');
export const emptyDatabase = () => openAsBlob(inject('prepared').emptyDatabase);
/** Returns a data folder of PGlite with the product's tables. */
export const migratedDatabase = () => openAsBlob(inject('prepared').migratedDatabase);
