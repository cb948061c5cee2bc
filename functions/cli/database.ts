import { connectNeon } from '../../lib/adapters/neon.ts';
import type { Db } from '../../schema/db.ts';
import { withPostgres } from '../../schema/migrate.ts';
import { UsageError } from './command.ts';

export class DatabaseTrouble extends UsageError {}

const TROUBLES: Record<string, string> = {
  ECONNREFUSED:
    'No database listens at the host and port of DATABASE_URL. Start the database, or correct DATABASE_URL.',
  ENOTFOUND: 'The host of DATABASE_URL does not exist. Correct DATABASE_URL.',
  ETIMEDOUT: 'The host of DATABASE_URL does not answer. Check your network and DATABASE_URL.',
  '28000': 'The database rejected the user of DATABASE_URL. Correct DATABASE_URL.',
  '28P01': 'The database rejected the password of DATABASE_URL. Correct DATABASE_URL.',
  '3D000':
    'The server of DATABASE_URL has no database with the name in DATABASE_URL. Create the database, or correct DATABASE_URL.',
  '42P01': 'The database has no tables yet. Run npm run db:migrate first.',
  '42703': 'The database has an older schema. Run npm run db:migrate first.',
};

/** Neon is reached over HTTP, as from the Worker. Throws `DatabaseTrouble` for what whoever ran it can fix. */
export async function withDatabase<T>(url: string, work: (db: Db) => Promise<T>): Promise<T> {
  return explained(url, () => {
    const isNeon = new URL(url).hostname.endsWith('.neon.tech');
    return isNeon ? work(connectNeon({ url })) : withPostgres(url, work);
  });
}

export async function explained<T>(url: string, work: () => Promise<T>): Promise<T> {
  if (!URL.canParse(url)) throw new DatabaseTrouble('DATABASE_URL must be a URL that begins with postgresql://.');
  try {
    return await work();
  } catch (error) {
    const trouble = TROUBLES[codeOf(error)];
    throw trouble === undefined ? error : new DatabaseTrouble(trouble, { cause: error });
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}
