import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import pg from 'pg';

// Runs vitest with the given arguments on a real Postgres and a real Redis. Fails at once if they are not there.

const { TEST_DATABASE = 'tandem_test', TEST_POSTGRES, TEST_REDIS } = process.env;
const servers = {
  TEST_DATABASE,
  TEST_POSTGRES: TEST_POSTGRES ?? 'postgres://postgres@127.0.0.1:5432/postgres',
  TEST_REDIS: TEST_REDIS ?? 'redis://127.0.0.1:6379',
};

const found = await Promise.all([
  report('PostgreSQL', 'TEST_POSTGRES', postgresVersion(servers.TEST_POSTGRES)),
  report('Redis', 'TEST_REDIS', redisVersion(servers.TEST_REDIS)),
]);
if (found.includes(false)) process.exit(1);

const vitest = spawn('vitest', ['run', ...process.argv.slice(2)], {
  env: { ...process.env, ...servers },
  stdio: 'inherit',
});
const [code] = await once(vitest, 'close');
process.exitCode = code ?? 1;

async function report(server: string, name: keyof typeof servers, asked: Promise<string>): Promise<boolean> {
  try {
    console.log(`${server} ${await asked} at ${new URL(servers[name]).host}`);
    return true;
  } catch (error) {
    const { host } = new URL(servers[name]);
    console.error(`NO ${server.toUpperCase()}: ${host} does not answer (${error}). ${name} names another.`);
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
