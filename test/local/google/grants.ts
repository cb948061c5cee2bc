import { randomBytes } from 'node:crypto';
import type { WorldClock } from '../targets.ts';

/** Grant that one user gave to the client. Revoking it revokes every token that came from it. */
export interface Grant {
  email: string;
  scopes: Set<string>;
  live: boolean;
}

export interface Code {
  grant: Grant;
  redirectUri: string;
  challenge: string | undefined;
  withRefreshToken: boolean;
  expiresAt: number;
}

interface AccessToken {
  grant: Grant;
  scopes: string[];
  expiresAt: number;
}

const CODE_LIFETIME_MS = 600_000;
const ACCESS_LIFETIME_MS = 3_599_000;

const secret = (bytes: number) => randomBytes(bytes).toString('base64url');

export interface KeptGrants {
  grants: Map<string, Grant>;
  codes: Map<string, Code>;
  access: Map<string, AccessToken>;
  refresh: Map<string, Grant>;
}

export type Grants = ReturnType<typeof createGrants>;

/** Creates the grants, codes and tokens of this world's only client. */
export function createGrants(clock: WorldClock, kept?: KeptGrants) {
  const grants = new Map(kept?.grants);
  const codes = new Map(kept?.codes);
  const access = new Map(kept?.access);
  const refresh = new Map(kept?.refresh);

  function kill(grant: Grant) {
    grant.live = false;
    if (grants.get(grant.email) === grant) grants.delete(grant.email);
  }

  return {
    keep: (): KeptGrants => ({ grants, codes, access, refresh }),
    /** Records the user's consent to these scopes. `isFirst` is true if no valid grant existed before. */
    consent(email: string, scopes: string[]): { grant: Grant; isFirst: boolean } {
      const known = grants.get(email);
      const grant = known ?? { email, scopes: new Set<string>(), live: true };
      for (const scope of scopes) grant.scopes.add(scope);
      grants.set(email, grant);
      return { grant, isFirst: !known };
    },
    issueCode(code: Omit<Code, 'expiresAt'>): string {
      const value = `4/0A${secret(36)}`;
      codes.set(value, { ...code, expiresAt: clock.now() + CODE_LIFETIME_MS });
      return value;
    },
    findCode(value: string): Code | undefined {
      const code = codes.get(value);
      return code?.grant.live && code.expiresAt > clock.now() ? code : undefined;
    },
    spendCode(value: string): void {
      codes.delete(value);
    },
    issueRefreshToken(grant: Grant): string {
      const value = `1//0${secret(48)}`;
      refresh.set(value, grant);
      return value;
    },
    issueAccessToken(grant: Grant): { token: string; scopes: string[] } {
      const token = `ya29.a0${secret(60)}`;
      const scopes = [...grant.scopes];
      access.set(token, { grant, scopes, expiresAt: clock.now() + ACCESS_LIFETIME_MS });
      return { token, scopes };
    },
    findRefreshToken(value: string): Grant | undefined {
      const grant = refresh.get(value);
      return grant?.live ? grant : undefined;
    },
    findAccessToken(value: string): AccessToken | undefined {
      const found = access.get(value);
      return found?.grant.live && found.expiresAt > clock.now() ? found : undefined;
    },
    /** Revokes the grant behind an access or refresh token. Returns false if it was already revoked. */
    revokeToken(value: string): boolean {
      const grant = refresh.get(value) ?? access.get(value)?.grant;
      if (!grant?.live) return false;
      kill(grant);
      return true;
    },
    revokeUser(email: string): void {
      const grant = grants.get(email);
      if (grant) kill(grant);
    },
    expireAccessTokens(email: string): void {
      for (const token of access.values()) if (token.grant.email === email) token.expiresAt = 0;
    },
  };
}
