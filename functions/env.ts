import * as z from 'zod';
import type { Opening } from '../lib/adapters/neon.ts';
import type { AiBinding } from '../lib/adapters/workers-ai.ts';
import type { Ctx, Platform } from '../lib/context.ts';
import { InternalError } from '../lib/errors.ts';
import { isWithin } from '../lib/webhooks/url-safety.ts';
import type { Operation } from '../schema/api/operation.ts';
import type { KeyOwner } from '../schema/api-keys/queries.ts';

const url = z.url().transform((value) => value.replace(/\/$/, ''));
const TOKEN_KEYS = /^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/;

const isBinding = (value: unknown) =>
  typeof value === 'object' && value !== null && 'run' in value && typeof value.run === 'function';

const isLocalHost = (host: string) => ['localhost', '127.0.0.1', '[::1]'].includes(host);

/** Where the Worker answers: a public name over HTTPS, or this machine when the environment says that it is local. */
function isAddress(text: string, isLocal: boolean): boolean {
  const { protocol, hostname, pathname, search, hash, username } = new URL(text);
  if (pathname !== '/' || search !== '' || hash !== '' || username !== '') return false;
  if (isLocal) return isLocalHost(hostname);
  return protocol === 'https:' && /\.[a-z][a-z0-9-]*$/.test(hostname) && !hostname.endsWith('.localhost');
}

/** Every variable and secret of the Worker; the README says where each comes from. */
const Variables = z.object({
  BASE_URL: url,
  /** The domain registered for this service, `acme.com` for `api.acme.com`: no webhook may lead into it. */
  OWN_DOMAIN: z.hostname().optional(),
  /** Set on a developer's own machine, and nowhere else. */
  LOCAL_MODE: z.literal('on', 'must be "on" or absent').optional(),
  DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must be a postgresql:// URL'),
  UPSTASH_REDIS_REST_URL: url,
  UPSTASH_REDIS_REST_TOKEN: z.string().min(1),
  /** The queue's address in the account's region; the default is the European one. */
  QSTASH_URL: url.default('https://qstash.upstash.io'),
  QSTASH_TOKEN: z.string().min(1),
  QSTASH_CURRENT_SIGNING_KEY: z.string().min(1),
  QSTASH_NEXT_SIGNING_KEY: z.string().min(1),
  GOOGLE_CLIENT_ID: z.string().min(1),
  GOOGLE_CLIENT_SECRET: z.string().min(1),
  GOOGLE_AUTHORIZE_URL: url.default('https://accounts.google.com/o/oauth2/v2/auth'),
  TOKEN_KEYS: z.string().regex(TOKEN_KEYS, 'must be "<id>:<base64 of 32 bytes>", comma separated'),
  KEY_CHECK_SECRET: z.string().min(32, 'must have at least 32 characters'),
  SESSION_SECRET: z.string().min(32, 'must have at least 32 characters'),
  /** Workers AI; without it rules read what people write. */
  AI: z.custom<AiBinding>(isBinding, 'must be a Workers AI binding').optional(),
});
const isValid = (value: unknown, names: { [name in keyof z.infer<typeof Variables>]?: true }) =>
  Variables.pick(names).safeParse(value).success;
const Env = Variables.refine(({ BASE_URL, LOCAL_MODE }) => isAddress(BASE_URL, LOCAL_MODE === 'on'), {
  path: ['BASE_URL'],
  error: 'must be https:// and a public host, or with LOCAL_MODE=on an address of this machine; no path',
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

/** Who calls: a platform by its secret key, or a user by theirs. */
export type Caller = { kind: 'secret'; platform: Platform } | { kind: 'user'; userId: string; email: string };

/** Whose a key was when it was last looked up, and what came of asserting that they still are. */
export interface Claim {
  hash: string;
  owner: KeyOwner;
  opening: Opening;
}

/** A browser's session of a platform's dashboard. */
export interface DashboardSession {
  /** As the cookie carries it. */
  text: string;
  /** What its forms must carry. */
  csrf: string;
  /** The SHA-256 of the secret key it stands for. */
  subject: string;
}

export interface AppEnv {
  Bindings: Record<string, unknown>;
  Variables: {
    env: Env;
    ctx: Ctx;
    requestId: string;
    caller: Caller;
    /** The session of a platform's dashboard, on its pages. */
    session: DashboardSession;
    /** Where the caller is known from memory. */
    claim: Claim | undefined;
    /** The body, once it was read. */
    bodyText: string | undefined;
    /** What is asked for, once its input was checked. */
    operation: Operation | undefined;
    /** The names of what the request gave, once it was checked. */
    sent: readonly string[] | undefined;
  };
}

let parsed: { from: Record<string, unknown>; env: Env } | undefined;

/** The environment, checked once per isolate; throws one sentence that names what is missing or wrong. */
export function parseEnv(bindings: Record<string, unknown>): Env {
  if (parsed?.from.DATABASE_URL === bindings.DATABASE_URL && parsed !== undefined) return parsed.env;
  const result = Env.safeParse(bindings);
  if (!result.success) {
    const wrong = result.error.issues.map(({ path, message }) => {
      const name = String(path[0]);
      return bindings[name] === undefined ? `${name} is missing` : `${name}: ${message}`;
    });
    throw new InternalError(`The environment is incomplete: ${wrong.join('; ')}.`);
  }
  parsed = { from: bindings, env: result.data };
  return result.data;
}

/** The calling user, behind `auth('user')`. */
export function userOf(c: { var: { caller: Caller } }): { userId: string; email: string } {
  if (c.var.caller.kind !== 'user') throw new InternalError('this route is not behind a user key');
  return c.var.caller;
}

/** The calling platform, behind `auth('secret')`. */
export function platformOf(c: { var: { caller: Caller } }): Platform {
  if (c.var.caller.kind !== 'secret') throw new InternalError('this route is not behind a platform key');
  return c.var.caller.platform;
}
