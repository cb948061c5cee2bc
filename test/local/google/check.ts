import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createGoogleOAuth } from '../../../lib/adapters/google-oauth.ts';
import { BEHAVIORS, createHand, reportBehaviors } from './behaviors.ts';

const PORT = 8976;
const REDIRECT = `http://localhost:${PORT}/`;

const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = process.env;
if (!clientId || !clientSecret) {
  console.log(`Nothing was checked, because there is no account to check with.

Set GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET, here or in .dev.vars, to those of an OAuth client of yours at Google that has
${REDIRECT} as a redirect URI. Then run this again and consent with a test account. The check makes events in its calendar, a
month ahead, and deletes them at its end. The one guest it invites is at guest.example.com, and no mail is sent.`);
  process.exit(2);
}

const oauth = createGoogleOAuth({
  clientId,
  clientSecret,
  authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
  now: Date.now,
  requestId: 'google-check',
});
const [state, codeVerifier] = [randomBytes(16).toString('hex'), randomBytes(32).toString('base64url')];
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
console.log('Open this link and consent with a test account:\n');
console.log(`  ${oauth.consentUrl({ redirectUri: REDIRECT, state, loginHint: '', codeChallenge })}\n`);
const code = await codeFromBrowser(state);
const { accessToken, refreshToken, account } = await oauth.exchange({ code, codeVerifier, redirectUri: REDIRECT });
console.log(`Checking with ${account.email}.\n`);
const hand = createHand({ rootUrl: 'https://www.googleapis.com', accessToken, now: Date.now() });
try {
  const { differs, failed } = await reportBehaviors(hand, BEHAVIORS, (line) => console.log(line));
  process.exitCode = differs + failed > 0 ? 1 : 0;
} finally {
  await hand.clean();
  await oauth.revoke(refreshToken ?? accessToken);
}

/** Waits until the browser comes back from Google, and returns the code. */
async function codeFromBrowser(expected: string): Promise<string> {
  const server = createServer();
  server.listen(PORT, 'localhost');
  try {
    for (;;) {
      const [request, response] = await once(server, 'request');
      const { searchParams } = new URL(request.url, REDIRECT);
      const [found, error] = [searchParams.get('code'), searchParams.get('error')];
      const isOurs = searchParams.get('state') === expected;
      response.end(isOurs ? 'You can close this page.' : 'This is not the answer to the link that was printed.');
      if (isOurs && error !== null) throw new Error(`Google answered ${error}.`);
      if (isOurs && found !== null) return found;
    }
  } finally {
    server.close();
  }
}
