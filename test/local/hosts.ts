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
