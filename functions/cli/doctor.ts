import packageJson from '../../package.json' with { type: 'json' };
import { findDatabaseState } from '../../schema/database-state.ts';
import journal from '../../schema/migrations/meta/_journal.json' with { type: 'json' };
import { type Env, parseEnv } from '../env.ts';
import { withDatabase } from './database.ts';

type Given = Record<string, string | undefined>;
type Ask = (request: Request) => Promise<Response>;

/** One question about a deployment: what is well, as a sentence's end; throws what is wrong and what to do. */
interface Check {
  name: string;
  needs: (keyof Env)[];
  ask(env: Given, ask: Ask): Promise<string>;
}

export interface Finding {
  name: string;
  state: 'well' | 'wrong' | 'not asked';
  text: string;
}

const TIMEOUT_MS = 10_000;
const OLDEST_POSTGRES = 150_000;

class Wrong extends Error {}

const CHECKS: Check[] = [
  {
    name: 'Variables',
    needs: [],
    async ask(env) {
      parseEnv(env);
      return 'all there';
    },
  },
  {
    name: 'Database',
    needs: ['DATABASE_URL'],
    async ask({ DATABASE_URL = '' }) {
      const { version, migrations } = await withDatabase(DATABASE_URL, findDatabaseState);
      if (version < OLDEST_POSTGRES) throw new Wrong(`PostgreSQL 15 or newer is needed, this one is ${version}.`);
      const missing = journal.entries.length - migrations;
      if (missing > 0) throw new Wrong(`its schema is ${missing} behind: run npm run db:migrate.`);
      if (missing < 0) throw new Wrong('its schema is newer than this code: deploy the code that made it.');
      return `PostgreSQL ${Math.floor(version / 10_000)} with the newest schema`;
    },
  },
  {
    name: 'Redis',
    needs: ['UPSTASH_REDIS_REST_URL', 'UPSTASH_REDIS_REST_TOKEN'],
    async ask({ UPSTASH_REDIS_REST_URL = '', UPSTASH_REDIS_REST_TOKEN = '' }, ask) {
      const response = await ask(
        new Request(UPSTASH_REDIS_REST_URL, {
          method: 'POST',
          headers: { ...bearer(UPSTASH_REDIS_REST_TOKEN), 'Content-Type': 'application/json' },
          body: '["PING"]',
        }),
      );
      refuseUnauthorized(response, 'UPSTASH_REDIS_REST_TOKEN does not belong to UPSTASH_REDIS_REST_URL.');
      return 'answers';
    },
  },
  {
    name: 'QStash',
    needs: ['QSTASH_TOKEN'],
    async ask({ QSTASH_URL = 'https://qstash.upstash.io', QSTASH_TOKEN = '', ...env }, ask) {
      const response = await ask(new Request(`${QSTASH_URL}/v2/keys`, { headers: bearer(QSTASH_TOKEN) }));
      refuseUnauthorized(
        response,
        `QSTASH_TOKEN is not known at ${QSTASH_URL}; an account of another region needs its own QSTASH_URL.`,
      );
      const keys = (await response.json()) as { current?: unknown; next?: unknown };
      if (keys.current !== env.QSTASH_CURRENT_SIGNING_KEY || keys.next !== env.QSTASH_NEXT_SIGNING_KEY)
        throw new Wrong('its signing keys are others than QSTASH_CURRENT_SIGNING_KEY and QSTASH_NEXT_SIGNING_KEY.');
      return 'knows the token and signs with the keys given';
    },
  },
  {
    name: 'Google',
    needs: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'BASE_URL'],
    // A code that was never given out: a client that is known hears of the code, another one of itself.
    async ask({ GOOGLE_CLIENT_ID = '', GOOGLE_CLIENT_SECRET = '', BASE_URL = '' }, ask) {
      const response = await ask(
        new Request('https://oauth2.googleapis.com/token', {
          method: 'POST',
          body: new URLSearchParams({
            grant_type: 'authorization_code',
            code: 'never-given-out',
            client_id: GOOGLE_CLIENT_ID,
            client_secret: GOOGLE_CLIENT_SECRET,
            redirect_uri: `${BASE_URL}/oauth/callback`,
          }),
        }),
      );
      const { error } = (await response.json()) as { error?: unknown };
      if (error === 'invalid_client')
        throw new Wrong('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are not of one client.');
      if (error === 'redirect_uri_mismatch')
        throw new Wrong(`the OAuth client does not list ${BASE_URL}/oauth/callback as a redirect URI.`);
      if (error !== 'invalid_grant') throw new Wrong(`an unexpected answer with status ${response.status}.`);
      return 'knows the OAuth client';
    },
  },
  {
    name: 'Worker',
    needs: ['BASE_URL'],
    async ask({ BASE_URL = '' }, ask) {
      const response = await ask(new Request(`${BASE_URL}/health`));
      if (!response.ok) throw new Wrong(`${BASE_URL}/health answers ${response.status}: is it deployed there?`);
      const { version } = (await response.json()) as { version?: unknown };
      if (version !== packageJson.version)
        throw new Wrong(`${BASE_URL} runs version ${String(version)}, this code is ${packageJson.version}: deploy it.`);
      return `version ${packageJson.version} answers at ${BASE_URL}`;
    },
  },
];

/** Asks each service of a deployment whether it works with these variables; what lacks a variable is not asked. */
export function examine(env: Given, ask: Ask = askOutside): Promise<Finding[]> {
  return Promise.all(
    CHECKS.map(async ({ name, needs, ask: check }): Promise<Finding> => {
      const missing = needs.filter((variable) => (env[variable] ?? '') === '');
      if (missing.length > 0) return { name, state: 'not asked', text: `without ${missing.join(', ')}.` };
      try {
        return { name, state: 'well', text: await check(env, ask) };
      } catch (error) {
        return { name, state: 'wrong', text: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

async function askOutside(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Wrong(`${new URL(request.url).host} does not answer.`, { cause: error });
  }
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

function refuseUnauthorized({ status, ok }: Response, message: string): void {
  if (status === 401 || status === 403) throw new Wrong(message);
  if (!ok) throw new Wrong(`an unexpected answer with status ${status}.`);
}

if (import.meta.main) {
  const findings = await examine(process.env);
  for (const { name, state, text } of findings) console.log(`${name.padEnd(9)}  ${state.padEnd(9)}  ${text}`);
  process.exitCode = findings.every(({ state }) => state === 'well') ? 0 : 1;
}
