import * as z from 'zod';
import { HOLIDAYS_KNOWN_UNTIL } from '../../lib/engine/rules/holiday-table.ts';
import { DAY } from '../../lib/engine/time/dates.ts';
import { areZonesOld, ZONES_RELEASE } from '../../lib/engine/time/zone-table.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { findDatabaseState } from '../../schema/migrate.ts';
import journal from '../../schema/migrations/meta/_journal.json' with { type: 'json' };
import { type Env, parseEnv } from '../http/env.ts';
import { readFlags } from './command.ts';
import { withDatabase } from './database.ts';

type Given = Record<string, string | undefined>;
type Ask = (request: Request) => Promise<Response>;

/** A text says what is wrong and how to fix it. Somebody should know about a warning, although nothing fails yet. */
type Said = string | { ok: string } | { warning: string };

interface Check {
  name: string;
  needs: (keyof Env)[];
  ask(env: Given, ask: Ask, now: number): Promise<Said>;
}

type Finding = { name: string; state: 'ok' | 'warning' | 'failed' | 'skipped'; text: string };

/** `npm run doctor` warns these days before the holidays end, because people book meetings that far ahead. */
const HOLIDAYS_DAYS = 120;

const TIMEOUT_MS = 10_000;
const OLDEST_POSTGRES = 150_000;
const Contacts = z.object({ info: z.object({ contact: z.object({ email: z.string().optional() }) }) });

const CHECKS: Check[] = [
  {
    name: 'Variables',
    needs: [],
    async ask(env) {
      parseEnv(env);
      return { ok: 'All variables are set.' };
    },
  },
  {
    name: 'Database',
    needs: ['DATABASE_URL'],
    async ask({ DATABASE_URL = '' }) {
      const { version, migrations } = await withDatabase(DATABASE_URL, findDatabaseState);
      if (version < OLDEST_POSTGRES)
        return `This database has PostgreSQL version ${version}, but Tandem needs version 15 or newer. Upgrade the database.`;
      const missing = journal.entries.length - migrations;
      if (missing > 0) return `The database schema is ${missing} migrations behind this code. Run npm run db:migrate.`;
      if (missing < 0) return 'The database schema is newer than this code. Deploy the code that created the schema.';
      return { ok: `PostgreSQL ${Math.floor(version / 10_000)} with the newest schema.` };
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
      const foreign =
        'UPSTASH_REDIS_REST_TOKEN does not belong to UPSTASH_REDIS_REST_URL. Copy both from the same Redis database.';
      return refusal(response, foreign) ?? { ok: 'Redis answers.' };
    },
  },
  {
    name: 'QStash',
    needs: ['QSTASH_TOKEN'],
    async ask({ QSTASH_URL = 'https://qstash.upstash.io', QSTASH_TOKEN = '', ...env }, ask) {
      const response = await ask(new Request(`${QSTASH_URL}/v2/keys`, { headers: bearer(QSTASH_TOKEN) }));
      const foreign = `${QSTASH_URL} does not know QSTASH_TOKEN. If the account is in another region, set QSTASH_URL.`;
      const refused = refusal(response, foreign);
      if (refused !== undefined) return refused;
      const keys = (await response.json()) as { current?: unknown; next?: unknown };
      if (keys.current !== env.QSTASH_CURRENT_SIGNING_KEY || keys.next !== env.QSTASH_NEXT_SIGNING_KEY)
        return "QStash's signing keys differ from QSTASH_CURRENT_SIGNING_KEY and QSTASH_NEXT_SIGNING_KEY. Set both variables to QStash's keys.";
      return { ok: 'QStash accepts the token, and its signing keys match.' };
    },
  },
  {
    name: 'Google',
    needs: ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET', 'BASE_URL'],
    // Sends a code that Google never issued. If Google complains only about the code, it accepted client ID and secret.
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
        return 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET do not belong to the same client. Copy both from one OAuth client.';
      if (error === 'redirect_uri_mismatch')
        return `The OAuth client does not list ${BASE_URL}/oauth/callback as a redirect URI. Add it in Google Cloud.`;
      if (error !== 'invalid_grant') return unexpected(response);
      return { ok: 'Google knows the OAuth client.' };
    },
  },
  {
    name: 'Worker',
    needs: ['BASE_URL'],
    async ask({ BASE_URL = '' }, ask) {
      const response = await ask(new Request(`${BASE_URL}/health`));
      if (!response.ok)
        return `${BASE_URL}/health answers ${response.status}. Check that the Worker is deployed there.`;
      const { version } = (await response.json()) as { version?: unknown };
      if (version !== packageJson.version)
        return `${BASE_URL} runs version ${String(version)}, but this code is version ${packageJson.version}. Deploy this code.`;
      return { ok: `Version ${packageJson.version} answers at ${BASE_URL}.` };
    },
  },
  {
    name: 'Readiness',
    needs: ['BASE_URL', 'HEALTH_TOKEN'],
    async ask({ BASE_URL = '', HEALTH_TOKEN = '' }, ask) {
      const response = await ask(new Request(`${BASE_URL}/health/ready`, { headers: bearer(HEALTH_TOKEN) }));
      if (response.status === 401)
        return 'HEALTH_TOKEN differs from the HEALTH_TOKEN of the Worker. Set it to the same value.';
      if (response.status !== 200 && response.status !== 503) return unexpected(response);
      const said = (await response.json()) as Record<string, unknown>;
      const down = Object.keys(said).filter((part) => said[part] === 'down');
      if (down.length > 0) return `The Worker says that ${down.join(', ')} is down: see functions/LOGS.md.`;
      return { ok: 'The Worker reaches everything it needs, and its tick runs.' };
    },
  },
  {
    name: 'Holidays',
    needs: [],
    async ask(_env, _ask, now) {
      const days = Math.floor((Date.parse(HOLIDAYS_KNOWN_UNTIL) - now) / DAY);
      if (days < HOLIDAYS_DAYS)
        return `The table of public holidays ends on ${HOLIDAYS_KNOWN_UNTIL}. Run npm run holidays:generate, commit the table, and deploy.`;
      return { ok: `The table of public holidays ends on ${HOLIDAYS_KNOWN_UNTIL}.` };
    },
  },
  {
    name: 'Zones',
    needs: [],
    async ask(_env, _ask, now) {
      const { name, date, knownUntil } = ZONES_RELEASE;
      const table = `The table of time zones has release ${name} of ${date} and ends on ${knownUntil}.`;
      const advice = 'Update moment-timezone, run npm run zones:generate, commit the table, and deploy.';
      return areZonesOld(now) ? { warning: `${table} That is over 180 days old. ${advice}` } : { ok: table };
    },
  },
  {
    name: 'Pages',
    needs: ['BASE_URL'],
    async ask({ BASE_URL = '' }, ask, now) {
      const get = (path: string) => ask(new Request(BASE_URL + path));
      const [privacy, terms, security, openapi] = await Promise.all([
        get('/privacy'),
        get('/terms'),
        get('/.well-known/security.txt'),
        get('/openapi.json'),
      ]);
      if (!privacy.ok || !terms.ok)
        return `/privacy and /terms, which Google's verification asks for, are not configured: set COMPANY_NAME and CONTACT_EMAIL in vars of wrangler.toml.`;
      if (!security.ok)
        return '/.well-known/security.txt is not configured: set SECURITY_EXPIRES in vars of wrangler.toml.';
      const expires = /^Expires: (.+)$/m.exec(await security.text())?.[1] ?? '';
      if (!(Date.parse(expires) > now))
        return `/.well-known/security.txt expired at ${expires}: set a later SECURITY_EXPIRES.`;
      const { email } = Contacts.parse(await openapi.json()).info.contact;
      if (email === undefined)
        return 'Errors and the documentation name no address to write to: set SUPPORT_EMAIL in vars of wrangler.toml.';
      return { ok: `/privacy, /terms and /.well-known/security.txt are there, and errors name ${email}.` };
    },
  },
];

export function examine(env: Given, ask: Ask = askOutside, now = Date.now()): Promise<Finding[]> {
  return Promise.all(
    CHECKS.map(async ({ name, needs, ask: check }): Promise<Finding> => {
      const missing = needs.filter((variable) => (env[variable] ?? '') === '');
      const unset = `This check needs environment variables that are not set: ${missing.join(', ')}.`;
      if (missing.length > 0) return { name, state: 'skipped', text: unset };
      try {
        const said = await check(env, ask, now);
        if (typeof said === 'string') return { name, state: 'failed', text: said };
        return 'ok' in said ? { name, state: 'ok', text: said.ok } : { name, state: 'warning', text: said.warning };
      } catch (error) {
        return { name, state: 'failed', text: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
}

async function askOutside(request: Request): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  } catch (error) {
    throw new Error(
      `${new URL(request.url).host} does not answer. Check the address and your network, and run npm run doctor again.`,
      { cause: error },
    );
  }
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

const unexpected = ({ status, url }: { status: number; url: string }) =>
  `${url} answered with the unexpected status ${status}. Look up the status with that service, and run npm run doctor again.`;

function refusal(response: Response, unauthorized: string): string | undefined {
  if (response.status === 401 || response.status === 403) return unauthorized;
  return response.ok ? undefined : unexpected(response);
}

if (import.meta.main) {
  readFlags(
    'npm run doctor asks each service with the variables in .dev.vars or the environment, and says what to mend.',
  );
  const findings = await examine(process.env);
  for (const { name, state, text } of findings) console.log(`${name.padEnd(9)}  ${state.padEnd(7)}  ${text}`);
  process.exitCode = findings.every(({ state }) => state === 'ok' || state === 'warning') ? 0 : 1;
}
