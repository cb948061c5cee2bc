import { randomUUID } from 'node:crypto';
import { neon, neonConfig } from '@neondatabase/serverless';
import { drizzle } from 'drizzle-orm/neon-http';
import type { Db } from '../../schema/db.ts';
import { createDatabase, dropDatabase, type Neon } from './neon.ts';

const standIns = new Map<string, Neon>();

// The client has one fetch function for the whole process, so the host of the connection string tells the worlds apart.
neonConfig.fetchFunction = (url: string, init: RequestInit) => {
  const { hostname } = new URL(new Headers(init.headers).get('neon-connection-string') ?? '');
  const standIn = standIns.get(hostname);
  return standIn === undefined ? fetch(url, init) : standIn.fetch(new Request(url, init));
};

/** Opens the product's own client on this world's database, without counting and faults. */
export function openDb(standIn: Neon): Db {
  const hostname = `${randomUUID()}.neon.test`;
  standIns.set(hostname, standIn);
  return drizzle(neon(`postgresql://tandem:local@${hostname}/tandem`));
}

/** Creates an empty database on the server at `adminUrl`. Returns it with a function that drops it. */
export async function temporaryDatabase(adminUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `tandem_${randomUUID().replaceAll('-', '')}`;
  return { url: await createDatabase(adminUrl, name), drop: () => dropDatabase(adminUrl, name) };
}
