import { migrateDatabase } from '../../schema/migrate.ts';
import { readEnv, readFlags, runCommand } from './command.ts';
import { explained } from './database.ts';

async function main() {
  readFlags('npm run db:migrate brings the database of DATABASE_URL to the newest schema.');
  const url = readEnv('DATABASE_URL');
  await explained(url, () => migrateDatabase(url));
  console.log('The database has the newest schema.');
}

runCommand(main, 'The database was not migrated:');
