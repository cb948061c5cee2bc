import { HOSTS } from './hosts.ts';

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

/** Host under which the Worker reaches the control server. */
export const WORLD_HOST = 'world.test';
