import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { app } from '../../../functions/app.ts';
import { ASSETS } from '../../../functions/cli/assets.ts';
import { examine } from '../../../functions/cli/doctor.ts';
import { HOLIDAYS_KNOWN_UNTIL } from '../../../lib/engine/rules/holiday-table.ts';
import { ZONES_RELEASE } from '../../../lib/engine/time/zone-table.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { createClock } from '../../local/clock.ts';
import { createParties, type Parties } from '../../local/parties.ts';
import { createSecrets } from '../../local/platforms.ts';
import { HOSTS } from '../../local/targets.ts';

const secrets = createSecrets();
const WHOLE = {
  ...secrets,
  BASE_URL: 'https://api.acme.com',
  OWN_DOMAIN: 'acme.com',
  // The suites on real servers test the doctor against a database that responds.
  DATABASE_URL: 'postgres://postgres@127.0.0.1:1/tandem',
  UPSTASH_REDIS_REST_URL: `https://${HOSTS.redis}`,
};
let parties: Parties;

beforeAll(async () => {
  parties = await createParties({ clock: createClock(), secrets });
});
afterAll(() => Promise.all([parties.neon, parties.redis, parties.qstash].map((party) => party.close())));

const EXECUTION = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} };

const OPERATOR = {
  COMPANY_NAME: 'Acme',
  CONTACT_EMAIL: 'privacy@acme.com',
  SUPPORT_EMAIL: 'help@acme.com',
  SECURITY_EXPIRES: '2099-12-31',
};
let databases = 1;
/** A day on which the table of time zones is new, and that of public holidays reaches far enough. */
const TODAY = Date.parse(ZONES_RELEASE.date);
const ZONES = `The table of time zones has release ${ZONES_RELEASE.name} of ${ZONES_RELEASE.date} and ends on ${ZONES_RELEASE.knownUntil}.`;
/** The deployed Worker's environment, which is read anew for another database. */
const deployed = () => ({
  ...WHOLE,
  ...operator,
  DATABASE_URL: `postgres://postgres@127.0.0.1:${databases}/tandem`,
  ASSETS: { fetch: async () => new Response(readFileSync(join(ASSETS, 'openapi.json'))) },
});

/**
 * Variables about the operator that the deployed Worker has, and the parts that its readiness check reports as down.
 */
let operator: Partial<typeof OPERATOR> = OPERATOR;
let down: string[] = [];
beforeEach(() => {
  operator = OPERATOR;
  down = [];
});

/** Answer of the Worker's readiness check. `ready.test.ts` tests that the Worker answers like this. */
function readiness({ headers }: Request): Response {
  if (headers.get('authorization') !== `Bearer ${secrets.HEALTH_TOKEN}`) return new Response(null, { status: 401 });
  const parts = Object.fromEntries(
    ['database', 'redis', 'queue', 'tick'].map((part) => [part, down.includes(part) ? 'down' : 'up']),
  );
  return Response.json(parts, { status: down.length === 0 ? 200 : 503 });
}

async function ask(request: Request): Promise<Response> {
  const { hostname, pathname } = new URL(request.url);
  if (hostname === HOSTS.redis) return parties.redis.fetch(request);
  if (hostname === HOSTS.qstash) return parties.qstash.fetch(request);
  if (hostname === HOSTS.googleOAuth) return parties.google.fetch(request);
  if (hostname === 'api.acme.com' && pathname === '/health/ready') return readiness(request);
  if (hostname === 'api.acme.com') return app.fetch(request, deployed(), EXECUTION);
  return new Response(null, { status: 404 });
}

async function findings(env: Record<string, string | undefined>): Promise<Record<string, string>> {
  databases += 1;
  const found = await examine({ ...WHOLE, ...env }, ask, TODAY);
  return Object.fromEntries(found.map(({ name, state, text }) => [name, `${state}: ${text}`]));
}

test('a deployment that is well says so, service by service', async () => {
  expect(await findings({})).toEqual({
    Variables: 'ok: All variables are set.',
    Database:
      'failed: No database listens at the host and port of DATABASE_URL. Start the database, or correct DATABASE_URL.',
    Redis: 'ok: Redis answers.',
    QStash: 'ok: QStash accepts the token, and its signing keys match.',
    Google: 'ok: Google knows the OAuth client.',
    Worker: 'ok: Version 1.0.0 answers at https://api.acme.com.',
    Readiness: 'ok: The Worker reaches everything it needs, and its tick runs.',
    Holidays: `ok: The table of public holidays ends on ${HOLIDAYS_KNOWN_UNTIL}.`,
    Zones: `ok: ${ZONES}`,
    Pages: 'ok: /privacy, /terms and /.well-known/security.txt are there, and errors name help@acme.com.',
  });
});

test('the table of public holidays is reported 120 days before its end', async () => {
  const holidaysAt = async (daysBefore: number) => {
    const found = await examine({}, ask, Date.parse(HOLIDAYS_KNOWN_UNTIL) - daysBefore * 86_400_000);
    return found.find(({ name }) => name === 'Holidays');
  };
  expect(await holidaysAt(120)).toMatchObject({ state: 'ok' });
  for (const daysBefore of [119, 0, -400])
    expect(await holidaysAt(daysBefore)).toEqual({
      name: 'Holidays',
      state: 'failed',
      text: `The table of public holidays ends on ${HOLIDAYS_KNOWN_UNTIL}. Run npm run holidays:generate, commit the table, and deploy.`,
    });
});

test('a release of the time zones over 180 days old is a warning', async () => {
  const zonesAfter = async (days: number) => {
    const found = await examine({}, ask, Date.parse(ZONES_RELEASE.date) + days * 86_400_000);
    return found.find(({ name }) => name === 'Zones');
  };
  expect(await zonesAfter(180)).toEqual({ name: 'Zones', state: 'ok', text: ZONES });
  expect(await zonesAfter(181)).toMatchObject({ state: 'warning', text: expect.stringContaining('zones:generate') });
});

test('a Worker that is not ready says what is down', async () => {
  down = ['redis', 'tick'];
  expect((await findings({})).Readiness).toBe(
    'failed: The Worker says that redis, tick is down: see functions/LOGS.md.',
  );
  expect((await findings({ HEALTH_TOKEN: 'other' })).Readiness).toBe(
    'failed: HEALTH_TOKEN differs from the HEALTH_TOKEN of the Worker. Set it to the same value.',
  );
});

test.each([
  [
    'who operates it',
    { SECURITY_EXPIRES: '2099-12-31' },
    "failed: /privacy and /terms, which Google's verification asks for, are not configured: set COMPANY_NAME and CONTACT_EMAIL in vars of wrangler.toml.",
  ],
  [
    'until when its security contact holds',
    { COMPANY_NAME: 'Acme', CONTACT_EMAIL: 'privacy@acme.com' },
    'failed: /.well-known/security.txt is not configured: set SECURITY_EXPIRES in vars of wrangler.toml.',
  ],
  [
    'a contact that still holds',
    { ...OPERATOR, SECURITY_EXPIRES: '2020-01-31' },
    'failed: /.well-known/security.txt expired at 2020-01-31T00:00:00.000Z: set a later SECURITY_EXPIRES.',
  ],
  [
    'where developers write',
    { COMPANY_NAME: 'Acme', CONTACT_EMAIL: 'privacy@acme.com', SECURITY_EXPIRES: '2099-12-31' },
    'failed: Errors and the documentation name no address to write to: set SUPPORT_EMAIL in vars of wrangler.toml.',
  ],
])('a Worker that is not told %s is named', async (_name, given, expected) => {
  operator = given;
  expect((await findings({})).Pages).toBe(expected);
});

test.each<[string, Record<string, string | undefined>, string, string]>([
  [
    'a variable that is malformed',
    { TOKEN_KEYS: 'short', DATABASE_URL: 'postgres://postgres@127.0.0.1:1/other' },
    'Variables',
    'failed: The environment is incomplete: TOKEN_KEYS must be a comma-separated list of "<id>:<base64 of 32 bytes>".',
  ],
  [
    'a token of another Redis',
    { UPSTASH_REDIS_REST_TOKEN: 'other' },
    'Redis',
    'failed: UPSTASH_REDIS_REST_TOKEN does not belong to UPSTASH_REDIS_REST_URL. Copy both from the same Redis database.',
  ],
  [
    'a token of another region',
    { QSTASH_TOKEN: 'other' },
    'QStash',
    'failed: https://qstash.upstash.io does not know QSTASH_TOKEN. If the account is in another region, set QSTASH_URL.',
  ],
  [
    'signing keys from before a rotation',
    { QSTASH_NEXT_SIGNING_KEY: 'sig_old' },
    'QStash',
    "failed: QStash's signing keys differ from QSTASH_CURRENT_SIGNING_KEY and QSTASH_NEXT_SIGNING_KEY. Set both variables to QStash's keys.",
  ],
  [
    'a secret of another client',
    { GOOGLE_CLIENT_SECRET: 'other' },
    'Google',
    'failed: GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET do not belong to the same client. Copy both from one OAuth client.',
  ],
  [
    'an address where nothing is deployed',
    { BASE_URL: 'https://new.acme.com' },
    'Worker',
    'failed: https://new.acme.com/health answers 404. Check that the Worker is deployed there.',
  ],
  [
    'a variable that is missing',
    { QSTASH_TOKEN: undefined },
    'QStash',
    'skipped: This check needs environment variables that are not set: QSTASH_TOKEN.',
  ],
])('%s is named, with what to do', async (_name, env, service, said) => {
  expect((await findings(env))[service]).toBe(said);
});

function run(command: string, ...args: string[]) {
  const env = { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: 'true' };
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  return { status, said: `${stdout}${stderr}` };
}

test.each(['production', 'staging'])('the repository as it is deploys no %s: it says what to set and where', (name) => {
  const { status, said } = run(process.execPath, 'functions/cli/deploy.ts', name, '--dry-run');
  expect(status).toBe(1);
  expect(
    said,
  ).toBe(`[env.${name}] in wrangler.toml does not set COMPANY_NAME, CONTACT_EMAIL, SECURITY_EXPIRES, placement.
Not deployed: [env.${name}] in wrangler.toml is incomplete.
- The setting routes is missing. Add the route of the Worker.
- BASE_URL is missing in vars.
- OWN_DOMAIN is missing in vars.
- SUPPORT_EMAIL is missing in vars.
functions/README.md, "Addresses and company", says what belongs there.
`);
});

test('wrangler deploy --env production, run directly, ends at the same check', () => {
  const wrangler = ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--env', 'production', '--dry-run'];
  const { status, said } = run(process.execPath, ...wrangler);
  expect(status).toBe(1);
  expect(said).toContain('Not deployed: [env.production] in wrangler.toml is incomplete.');
  expect(said).toContain('- The setting routes is missing.');
  expect(said).not.toContain('Total Upload');
});

test('wrangler deploy without an environment ends with what to run instead', () => {
  const { status, said } = run(process.execPath, 'node_modules/wrangler/bin/wrangler.js', 'deploy', '--dry-run');
  expect(status).toBe(1);
  expect(said).toContain('Deploy with npm run deploy or npm run deploy -- staging');
  expect(said).toContain('Develop with npm run dev');
  expect(said).not.toContain('Total Upload');
});

const programs = Object.entries(packageJson.scripts).flatMap(([name, script]): [string, string][] => {
  const program = /(?:^|&& )(?:exec )?node .*?(\S+\.ts)/.exec(script)?.[1];
  return program === undefined ? [] : [[name, program]];
});

test.each(programs)(
  'npm run %s knows --help and -h, and refuses a flag that it does not know by its name',
  (_, program) => {
    const help = run(process.execPath, program, '--help');
    expect(help).toEqual({ status: 0, said: expect.stringContaining('npm ') });
    expect(run(process.execPath, program, '-h')).toEqual(help);
    const refused = run(process.execPath, program, '--nonsense');
    expect(refused).toEqual({ status: 2, said: `Unknown option '--nonsense'.\n\n${help.said}` });
  },
);

test.each(['db:migrate', 'deploy', 'platform:create', 'admin', 'doctor', 'tokens:reseal', 'reading'] as const)(
  'npm run %s reads .dev.vars',
  (name) => {
    expect(packageJson.scripts[name]).toContain('--env-file-if-exists=.dev.vars');
  },
);
