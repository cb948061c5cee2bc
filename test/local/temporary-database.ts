import { randomUUID } from 'node:crypto';
import { createDatabase, dropDatabase } from './neon.ts';

/** Creates an empty database on the server at `adminUrl`. Returns it with a function that drops it. */
export async function temporaryDatabase(adminUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `tandem_${randomUUID().replaceAll('-', '')}`;
  return { url: await createDatabase(adminUrl, name), drop: () => dropDatabase(adminUrl, name) };
}
