import type { Ctx } from '../../kit/context.ts';
import { sha256 } from '../../kit/ids.ts';
import { proposalTokenPlace } from '../../kit/reseal.ts';

/** The token is all it takes to answer. It is stored hashed, to find the proposal, and encrypted, to show the URL. */
export async function newLink(ctx: Ctx, proposalId: string) {
  const token = ctx.ids.secret('');
  return { tokenHash: await sha256(token), token: await ctx.sealer.seal(token, proposalTokenPlace(proposalId)) };
}

const HIDDEN = 'sealed:';

/** An answer under an idempotency key holds this in place of the URL's secret token. `showUrl` puts the URL back. */
export const hiddenUrl = ({ token }: { token: string }) => HIDDEN + token;

/** Replaces the placeholder in a stored answer, which is JSON, by the URL of the proposal's page. */
export async function showUrl(ctx: Ctx, body: string): Promise<string> {
  if (!body.includes(`"url":"${HIDDEN}`)) return body;
  const answer = JSON.parse(body);
  const { proposal_id: id, url } = answer;
  if (typeof id !== 'string' || typeof url !== 'string' || !url.startsWith(HIDDEN)) return body;
  return JSON.stringify({ ...answer, url: await urlOf(ctx, { id, token: url.slice(HIDDEN.length) }) });
}

/** Returns null if the token was erased together with a person, or if no known key decrypts it. */
export async function urlOf(ctx: Ctx, { id, token }: { id: string; token: string | null }): Promise<string | null> {
  if (token === null) return null;
  try {
    return `${ctx.config.baseUrl}/p/${await ctx.sealer.open(token, proposalTokenPlace(id))}`;
  } catch (error) {
    ctx.log('error', 'the token of a proposal cannot be decrypted', { proposal_id: id, error });
    return null;
  }
}
