import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const secret = (prefix: string) => `${prefix}${randomBytes(32).toString('base64url')}`;

export type Secrets = ReturnType<typeof createSecrets>;

/** The Worker's secrets, made afresh. */
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
  };
}

/** The secrets kept in `folder`, made at the first start, so that what they sealed stays readable. */
export function keepSecrets(folder: string): Secrets {
  const path = join(folder, 'secrets.json');
  try {
    return { ...createSecrets(), ...JSON.parse(readFileSync(path, 'utf8')) };
  } catch {
    const made = createSecrets();
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
    return made;
  }
}
