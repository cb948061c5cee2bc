import { decodeJwt } from 'jose';
import { type CalendarOAuth, type ConsentRequest, GrantError, type Tokens } from '../kit/calendar-ports.ts';
import { FREE_BUSY, PERMISSIONS } from '../kit/permissions.ts';

const TIMEOUT_MS = 8_000;
const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const REVOKE_URL = 'https://oauth2.googleapis.com/revoke';

interface Options {
  clientId: string;
  clientSecret: string;
  authorizeUrl: string;
  now: () => number;
  requestId: string;
}

interface TokenAnswer {
  access_token: string;
  expires_in: number;
  refresh_token?: string;
  scope?: string;
  id_token?: string;
}

/** Claims of an ID token. `hd` is the Workspace domain that the account belongs to. */
type Claims = { sub?: string; email?: string; email_verified?: boolean; hd?: string };

export function createGoogleOAuth({ clientId, clientSecret, authorizeUrl, now, requestId }: Options): CalendarOAuth {
  async function post(url: string, fields: Record<string, string>): Promise<Response> {
    try {
      return await fetch(url, {
        method: 'POST',
        headers: { 'X-Request-Id': requestId },
        body: new URLSearchParams(fields),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
    } catch (cause) {
      throw new GrantError('unavailable', "Google's token endpoint did not answer.", cause);
    }
  }

  async function tokens(fields: Record<string, string>): Promise<TokenAnswer> {
    const response = await post(TOKEN_URL, { client_id: clientId, client_secret: clientSecret, ...fields });
    if (response.status >= 500 || response.status === 429)
      throw new GrantError('unavailable', `Google's token endpoint answered ${response.status}.`);
    const answer = (await response.json().catch((cause: unknown) => {
      throw new GrantError('unavailable', "Google's token endpoint answered without valid JSON.", cause);
    })) as TokenAnswer & { error?: string };
    if (response.ok) return answer;
    throw new GrantError(
      answer.error === 'invalid_grant' ? 'invalid_grant' : 'refused',
      `Google refused the grant: ${answer.error}.`,
    );
  }

  async function exchanged({ code, codeVerifier, redirectUri }: Parameters<CalendarOAuth['exchange']>[0]) {
    const grant_type = 'authorization_code';
    const answer = await tokens({ grant_type, code, code_verifier: codeVerifier, redirect_uri: redirectUri });
    // OpenID Connect Core 3.1.3.7: the token came over TLS directly from the issuer, so its signature needs no check.
    const claims: Claims = answer.id_token === undefined ? {} : decodeJwt<Claims>(answer.id_token);
    return { answer, claims };
  }

  const toTokens = (answer: TokenAnswer): Tokens => ({
    accessToken: answer.access_token,
    accessExpiresAt: now() + answer.expires_in * 1000,
    refreshToken: answer.refresh_token,
    scope: answer.scope ?? '',
  });

  function addressFor(
    { redirectUri, state, loginHint, codeChallenge }: ConsentRequest,
    access: Record<string, string>,
  ) {
    const url = new URL(authorizeUrl);
    url.search = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      state,
      ...access,
      login_hint: loginHint,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    }).toString();
    return url.href;
  }

  return {
    consentUrl: (asked) =>
      addressFor(asked, {
        scope: PERMISSIONS.map(({ scope }) => scope).join(' '),
        access_type: 'offline',
        prompt: 'consent',
        include_granted_scopes: 'true',
      }),
    async exchange(returned) {
      const { answer, claims } = await exchanged(returned);
      const { sub, email, email_verified, hd } = claims;
      if (sub === undefined || email === undefined)
        throw new GrantError('refused', "Google's answer names no account.");
      const emailVerified = email_verified === true;
      const ownsAddress = emailVerified && (/@(?:gmail|googlemail)\.com$/i.test(email) || hd !== undefined);
      return { ...toTokens(answer), account: { id: sub, email, emailVerified, ownsAddress } };
    },
    freeBusyUrl: (asked) =>
      addressFor(asked, {
        // `openid` gives access to no calendar. Its ID token names the account, because Tandem must not revoke this
        // access if the account is connected to Tandem.
        scope: `openid ${FREE_BUSY}`,
        access_type: 'online',
        include_granted_scopes: 'false',
      }),
    async exchangeOnce(returned) {
      const { answer, claims } = await exchanged(returned);
      const mayReadBusy = (answer.scope ?? '').split(' ').includes(FREE_BUSY);
      return { accessToken: answer.access_token, mayReadBusy, accountId: claims.sub };
    },
    refresh: async (refreshToken) =>
      toTokens(await tokens({ grant_type: 'refresh_token', refresh_token: refreshToken })),
    async revoke(token) {
      const response = await post(REVOKE_URL, { token });
      if (response.ok) return void (await response.body?.cancel());
      const answer: unknown = await response.json().catch(() => undefined);
      const error = typeof answer === 'object' && answer !== null && 'error' in answer ? answer.error : undefined;
      if (response.status === 400 && error === 'invalid_token') return;
      throw new GrantError('unavailable', `Google's revoke endpoint answered ${response.status}.`);
    },
  };
}
