import { randomBytes } from 'node:crypto';

const secret = (prefix: string) => `${prefix}${randomBytes(32).toString('base64url')}`;

export type Secrets = ReturnType<typeof createSecrets>;

/** Creates new secrets for the Worker. */
export function createSecrets() {
  return {
    UPSTASH_REDIS_REST_TOKEN: secret('redis_'),
    QSTASH_TOKEN: secret('qstash_'),
    QSTASH_CURRENT_SIGNING_KEY: secret('sig_'),
    QSTASH_NEXT_SIGNING_KEY: secret('sig_'),
    GOOGLE_CLIENT_ID: 'tandem-local.apps.googleusercontent.com',
    GOOGLE_CLIENT_SECRET: secret('GOCSPX-'),
    TOKEN_KEYS: `k1:${randomBytes(32).toString('base64')}`,
    KEY_CHECK_SECRET: secret(''),
    SESSION_SECRET: secret(''),
    HEALTH_TOKEN: secret(''),
  };
}
