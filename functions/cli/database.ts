import { connectNeon } from '../../lib/adapters/neon.ts';
import type { Db } from '../../schema/db.ts';
import { withPostgres } from '../../schema/postgres.ts';

/** A database that cannot be worked with, and what to do about it; told to whoever typed the command. */
export class DatabaseTrouble extends Error {}

const TROUBLES: Record<string, string> = {
  ECONNREFUSED: 'Nobody listens at the host and port of DATABASE_URL.',
  ENOTFOUND: 'The host of DATABASE_URL is not known.',
  ETIMEDOUT: 'The host of DATABASE_URL does not answer.',
  '28000': 'The database refused the user of DATABASE_URL.',
  '28P01': 'The database refused the password of DATABASE_URL.',
  '3D000': 'The server of DATABASE_URL has no database of that name.',
  '42P01': 'The database has no tables yet: run npm run db:migrate first.',
  '42703': 'The database has an older schema: run npm run db:migrate first.',
};

/**
 * Does a command's work on the database at this URL: as the Worker reaches it where it is Neon's, else as any Postgres.
 * Throws `DatabaseTrouble` where whoever typed the command can mend it.
 */
export async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  if (!URL.canParse(url)) throw new DatabaseTrouble('DATABASE_URL must be a postgresql:// URL.');
  try {
    const isNeon = new URL(url).hostname.endsWith('.neon.tech');
    return isNeon ? await work(connectNeon({ url })) : await withPostgres(url, work);
  } catch (error) {
    const trouble = TROUBLES[codeOf(error)];
    throw trouble === undefined ? error : new DatabaseTrouble(trouble, { cause: error });
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}
