import { Redis } from 'ioredis';
import pg from 'pg';

/**
 * Returns the environment of suites on a real Postgres and a real Redis. Says which there are, and returns undefined if
 * one does not answer.
 */
export async function findServers(database = 'tandem_test'): Promise<NodeJS.ProcessEnv | undefined> {
  const servers = {
    TEST_DATABASE: process.env.TEST_DATABASE ?? database,
    TEST_POSTGRES: process.env.TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres',
    TEST_REDIS: process.env.TEST_REDIS ?? 'redis://127.0.0.1:6379',
  };
  const found = await Promise.all([
    report('PostgreSQL', 'TEST_POSTGRES', servers.TEST_POSTGRES, postgresVersion),
    report('Redis', 'TEST_REDIS', servers.TEST_REDIS, redisVersion),
  ]);
  return found.includes(false) ? undefined : { ...process.env, ...servers };
}

async function report(
  server: string,
  variable: string,
  url: string,
  ask: (url: string) => Promise<string>,
): Promise<boolean> {
  const { host } = new URL(url);
  try {
    console.log(`${server} ${await ask(url)} at ${host}`);
    return true;
  } catch (error) {
    console.error(`NO ${server.toUpperCase()}: ${host} does not answer (${error}). ${variable} names another.`);
    return false;
  }
}

async function postgresVersion(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 10_000 });
  await client.connect();
  const { rows } = await client.query<{ server_version: string }>('show server_version');
  await client.end();
  return rows[0]?.server_version ?? 'of no version';
}

async function redisVersion(url: string): Promise<string> {
  const client = new Redis(url, { lazyConnect: true, connectTimeout: 10_000, retryStrategy: () => null });
  // The failed call reports the error as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return /redis_version:(\S+)/.exec(await client.info('server'))?.[1] ?? 'of no version';
  } finally {
    client.disconnect();
  }
}
