import * as z from 'zod';
import type { AiBinding } from '../../lib/adapters/workers-ai.ts';
import type { Ctx, Platform, PlatformRef } from '../../lib/kit/context.ts';
import { InternalError } from '../../lib/kit/errors.ts';
import { isWithin } from '../../lib/kit/url-safety.ts';
import type { Operation } from '../../schema/api/operation.ts';

const url = z.url().transform((value) => value.replace(/\/$/, ''));
const TOKEN_KEYS = /^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/;

const isBindingWith = (method: 'fetch' | 'run') => (value: unknown) =>
  typeof value === 'object' && value !== null && typeof Reflect.get(value, method) === 'function';

function isAddress(text: string, isLocal: boolean): boolean {
  const { protocol, hostname, pathname, search, hash, username } = new URL(text);
  if (pathname !== '/' || search !== '' || hash !== '' || username !== '') return false;
  if (isLocal) return ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  return protocol === 'https:' && /\.[a-z][a-z0-9-]*$/.test(hostname) && !hostname.endsWith('.localhost');
}

const Variables = z.object({
  BASE_URL: url,
  /** An example is `acme.com` for `api.acme.com`. Tandem refuses webhook URLs within it. */
  OWN_DOMAIN: z.hostname().optional(),
  /** Allows plain HTTP and webhooks to localhost, only on a developer's own machine. */
  LOCAL_MODE: z.literal('on', 'must be "on" or absent').optional(),
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// URL'),
  UPSTASH_REDIS_REST_URL: url,
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1),
  /** URL of QStash, the message queue, in the account's region. The default is the European region. */
  QSTASH_URL: url.default('https://qstash.upstash.io'),
  QSTASH_TOKEN: z.string().min(1),
  QSTASH_CURRENT_SIGNING_KEY: z.string().min(1),
  QSTASH_NEXT_SIGNING_KEY: z.string().min(1),
  GOOGLE_CLIENT_ID: z.string().min(1),
  GOOGLE_CLIENT_SECRET: z.string().min(1),
  GOOGLE_AUTHORIZE_URL: url.default('https://accounts.google.com/o/oauth2/v2/auth'),
  TOKEN_KEYS: z.string().regex(TOKEN_KEYS, 'must be a comma-separated list of "<id>:<base64 of 32 bytes>"'),
  KEY_CHECK_SECRET: z.string().min(32, 'must have at least 32 characters'),
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters'),
  HEALTH_TOKEN: z.string().min(32, 'must have at least 32 characters'),
  /** With CONTACT_EMAIL it makes `/privacy` and `/terms` available, which are 404 otherwise. */
  COMPANY_NAME: z.string().trim().min(1).max(200).optional(),
  CONTACT_EMAIL: z.email().optional(),
  /** A deployment needs it (`cli/deploy.ts`), local mode does not. */
  SUPPORT_EMAIL: z.email().optional(),
  /** Address to report a security weakness to, for `/.well-known/security.txt`. Without it, CONTACT_EMAIL is used. */
  SECURITY_CONTACT: z
    .string()
    .regex(/^(?:mailto:\S+@\S+|https:\/\/\S+|tel:\+\S+)$/, 'must be a mailto:, https:// or tel: address')
    .optional(),
  SECURITY_EXPIRES: z.union([z.iso.date(), z.iso.datetime()], 'must be a date, such as 2027-06-30').optional(),
  ASSETS: z
    .custom<{ fetch(url: string): Promise<Response> }>(isBindingWith('fetch'), 'must be a binding of static assets')
    .optional(),
  /** Workers AI binding. Without it, rules instead of a model read the texts that people write. */
  AI: z.custom<AiBinding>(isBindingWith('run'), 'must be a Workers AI binding').optional(),
  /** Must support JSON mode. The default is in `lib/adapters/workers-ai.ts`. */
  AI_MODEL: z
    .string()
    .regex(/^@[\w./-]+$/, 'must be a name such as @cf/meta/llama-3.3-70b-instruct-fp8-fast')
    .optional(),
});
const isValid = (value: unknown, names: { [name in keyof z.infer<typeof Variables>]?: true }) =>
  Variables.pick(names).safeParse(value).success;
const Env = Variables.refine(({ BASE_URL, LOCAL_MODE }) => isAddress(BASE_URL, LOCAL_MODE === 'on'), {
  path: ['BASE_URL'],
  error: 'must be an https:// URL with a public host and no path, or with LOCAL_MODE=on a URL of this machine',
  when: ({ value }) => isValid(value, { BASE_URL: true }),
}).refine(
  ({ BASE_URL, LOCAL_MODE, OWN_DOMAIN }) =>
    LOCAL_MODE === 'on' || (OWN_DOMAIN?.includes('.') === true && isWithin(OWN_DOMAIN, new URL(BASE_URL).hostname)),
  {
    path: ['OWN_DOMAIN'],
    error: "must be the registered domain that BASE_URL's host belongs to",
    when: ({ value }) => isValid(value, { BASE_URL: true, OWN_DOMAIN: true }),
  },
);
export type Env = z.infer<typeof Env>;

export function findTroubles(bindings: Record<string, unknown>): { name: string; trouble: string }[] {
  const { error } = Env.safeParse(bindings);
  return (error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0]);
    return { name, trouble: bindings[name] === undefined ? 'is missing' : message };
  });
}

/** The key of an agent works only on `/mcp`. A former key changes no key, session, webhook or setting. */
export type Caller = { isFormer: boolean } & (
  | { kind: 'secret'; platform: Platform }
  | { kind: 'user'; userId: string; email: string; isAgent: boolean }
);

/** A key never changes its owner. The platform's plan may be stale, but it only sets the rate limit. */
export type KnownCaller =
  | { kind: 'secret'; platform: Pick<Platform, 'id' | 'plan'> }
  | { kind: 'user'; userId: string; isAgent: boolean };

export interface DashboardSession {
  id: string;
  platformId: string;
  /** Undefined until Postgres confirms the session. A page loads its data meanwhile, and is sent only after. */
  opened?: { platform: Platform; readOnly: boolean; linkedAt: number };
}

export interface AppEnv {
  Bindings: Record<string, unknown>;
  Variables: {
    env: Env;
    ctx: Ctx;
    requestId: string;
    /** Undefined until Postgres has checked the key. Some requests begin before that, with `known`. */
    caller: Caller | undefined;
    known: KnownCaller | undefined;
    session: DashboardSession;
    /** Every form of the session's pages carries it. Undefined on pages that need no session. */
    csrf: string | undefined;
    bodyText: string | undefined;
    operation: Operation | undefined;
    /** Names of the parameters and body fields that the request contained, set once its input was checked. */
    sent: readonly string[] | undefined;
    refusal: string | undefined;
  };
}

let parsed: { from: Record<string, unknown>; env: Env } | undefined;

/** Parses once per isolate. Throws one sentence that names every missing or invalid variable. */
export function parseEnv(bindings: Record<string, unknown>): Env {
  if (parsed?.from.DATABASE_URL === bindings.DATABASE_URL && parsed !== undefined) return parsed.env;
  const wrong = findTroubles(bindings).map(({ name, trouble }) => `${name} ${trouble}`);
  if (wrong.length > 0) throw new InternalError(`The environment is incomplete: ${wrong.join('; ')}.`);
  const env = Env.parse(bindings);
  parsed = { from: bindings, env };
  return env;
}

type Calling = { var: { caller: Caller | undefined; known: KnownCaller | undefined } };

export function userOf({ var: { caller, known } }: Calling): { userId: string } {
  const user = known ?? caller;
  if (user?.kind !== 'user') throw new InternalError('This route ran without the check for a user key.');
  return { userId: user.userId };
}

export function platformOf({ var: { caller } }: Calling): Platform {
  if (caller?.kind !== 'secret') throw new InternalError('This route ran before the platform key was checked.');
  return caller.platform;
}

/** Returns the id of the platform that makes the request, even while its API key is still being checked. */
export function platformIdOf({ var: { caller, known } }: Calling): PlatformRef {
  const platform = known ?? caller;
  if (platform?.kind !== 'secret') throw new InternalError('This route ran without the check for a platform key.');
  return { id: platform.platform.id };
}

/** The legal pages and the links to them need both. */
export const isOperatorNamed = ({ COMPANY_NAME, CONTACT_EMAIL }: Env) =>
  COMPANY_NAME !== undefined && CONTACT_EMAIL !== undefined;
