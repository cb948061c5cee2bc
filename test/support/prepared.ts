import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { inject } from 'vitest';

/** What each run makes once for all its test workers, as paths of files. */
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

/** The production Worker in one module. */
export const preparedScript = () => readFile(inject('prepared').script, 'utf8');
/** A data folder of PGlite without any table. */
export const emptyDatabase = () => openAsBlob(inject('prepared').emptyDatabase);
/** One with the product's tables. */
export const migratedDatabase = () => openAsBlob(inject('prepared').migratedDatabase);
