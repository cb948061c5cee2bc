/** The production hosts the Worker calls; the local edge routes them to their stand-ins by `Host`. */
export const HOSTS = {
  neon: 'api.neon.test',
  redis: 'tandem-local.upstash.io',
  qstash: 'qstash.upstash.io',
  googleAccounts: 'accounts.google.com',
  googleOAuth: 'oauth2.googleapis.com',
  googleUserinfo: 'openidconnect.googleapis.com',
  googleApis: 'www.googleapis.com',
  inbox: 'inbox.platform.test',
  llm: 'workers-ai.test',
  dns: 'cloudflare-dns.com',
} as const;

export const TARGETS = ['neon', 'redis', 'qstash', 'google', 'inbox', 'llm', 'dns'] as const;

/** Outside service, by the name that the control server uses. */
export type Target = (typeof TARGETS)[number];

const TARGET_OF: Record<keyof typeof HOSTS, Target> = {
  neon: 'neon',
  redis: 'redis',
  qstash: 'qstash',
  googleAccounts: 'google',
  googleOAuth: 'google',
  googleUserinfo: 'google',
  googleApis: 'google',
  inbox: 'inbox',
  llm: 'llm',
  dns: 'dns',
};

/** Service behind each production host. */
export const TARGET_BY_HOST: ReadonlyMap<string, Target> = new Map(
  Object.entries(TARGET_OF).map(([name, target]) => [HOSTS[name as keyof typeof HOSTS], target]),
);

export const WORLD_HOST = 'world.test';

/** The world's clock: epoch milliseconds, moved forward by the control server's `POST /clock`. */
export interface WorldClock {
  now(): number;
}

/** Outside service: answers the requests that reach the local edge under its host. */
export interface StandIn {
  fetch(request: Request): Response | Promise<Response>;
  close(): Promise<void>;
}

/**
 * Header that carries time limits. On a call, it has the time at which the caller gives up, by the world's clock. On an
 * answer, it says that this time has passed and has the clock's new offset.
 */
export const LIMIT_HEADER = 'x-world-limit';
