import * as z from 'zod';
import { endCodes, insertCode, selectUnusedCode } from '../../../schema/access/agent-codes.ts';
import { isSessionOpen } from '../../../schema/access/sessions.ts';
import { lockUser } from '../../../schema/access/users.ts';
import { batch } from '../../../schema/db.ts';
import type { Ctx } from '../../kit/context.ts';
import { secretOfForm } from '../../kit/form-once.ts';
import { sha256 } from '../../kit/keys.ts';
import { readToken, signToken } from '../../kit/signed-token.ts';
import { type Agent, isRedirectUriOf, readAgent } from './client-document.ts';
import { endKeyOfCode } from './tokens.ts';

/** Time in seconds for which the consent page can be answered, and for which a code can be exchanged. */
const CONSENT_SECONDS = 600;
const CODE_SECONDS = 60;
const LONGEST_STATE = 2_048;
const CONSENT = 'agent-consent';

const Asked = z.object({
  clientId: z.string(),
  name: z.string(),
  redirectUri: z.string(),
  codeChallenge: z.string(),
  state: z.string().optional(),
});
export type Asked = z.infer<typeof Asked>;

/** `backTo` is the agent's own URL with the error, if the request names one that is known to be the agent's. */
export type ReadRequest =
  | { agent: Agent; asked: Asked }
  | { agent?: Agent; wrong: string; backTo?: string | undefined };

/** Returns the identifier of the only resource for which tokens are issued: the MCP server (RFC 8707). */
export const resourceOf = ({ config }: Pick<Ctx, 'config'>) => `${config.baseUrl}/mcp`;

/** Returns true if a `resource` parameter names the MCP server, perhaps with a slash at the end, or if there is none. */
export const isOurResource = (ctx: Pick<Ctx, 'config'>, resource: string | null) =>
  resource === null || (URL.canParse(resource) && new URL(resource).href.replace(/\/$/, '') === resourceOf(ctx));

/** An agent sends the person to the authorization endpoint with these parameters. */
export async function readRequest(ctx: Ctx, params: URLSearchParams): Promise<ReadRequest> {
  const [clientId, redirectUri] = [params.get('client_id') ?? '', params.get('redirect_uri') ?? ''];
  const agent = await readAgent(ctx, clientId);
  if (typeof agent === 'string') return { wrong: agent };
  if (!isRedirectUriOf(agent, redirectUri))
    return { agent, wrong: `The document at client_id does not list this redirect_uri, or it is not a safe URL.` };
  const state = params.get('state') ?? undefined;
  const fault = faultIn(ctx, params);
  if (fault !== undefined)
    return { agent, wrong: fault.wrong, backTo: answerUrl(ctx, { redirectUri, state }, { error: fault.error }) };
  const codeChallenge = params.get('code_challenge') ?? '';
  return { agent, asked: { clientId, name: agent.name, redirectUri, codeChallenge, state } };
}

function faultIn(ctx: Ctx, params: URLSearchParams): { error: string; wrong: string } | undefined {
  const names = [...params.keys()];
  if (new Set(names).size < names.length)
    return { error: 'invalid_request', wrong: 'The request has a parameter more than once.' };
  if (params.get('response_type') !== 'code')
    return { error: 'unsupported_response_type', wrong: 'The response_type must be code.' };
  if (params.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(params.get('code_challenge') ?? ''))
    return { error: 'invalid_request', wrong: 'The request must have a code_challenge with the method S256.' };
  if ((params.get('state')?.length ?? 0) > LONGEST_STATE)
    return { error: 'invalid_request', wrong: `The state must have at most ${LONGEST_STATE} characters.` };
  if (!isOurResource(ctx, params.get('resource')))
    return { error: 'invalid_target', wrong: `The resource must be ${resourceOf(ctx)}.` };
  return undefined;
}

/** Returns the agent's URL with the answer to its request, its own `state`, and who answers (RFC 9207). */
function answerUrl(
  { config }: Pick<Ctx, 'config'>,
  { redirectUri, state }: { redirectUri: string; state?: string | undefined },
  answer: { code: string } | { error: string },
): string {
  const url = new URL(redirectUri);
  const sent = { ...answer, ...(state === undefined ? {} : { state }), iss: config.baseUrl };
  for (const [name, value] of Object.entries(sent)) url.searchParams.set(name, value);
  return url.href;
}

/** Signs a checked request for the form on the consent page, so that only the session that saw it can answer it. */
export async function consentForm(ctx: Ctx, session: string, asked: Asked): Promise<string> {
  const id = ctx.ids.secret('');
  return (
    await signToken(ctx, { audience: CONSENT, id, subject: session, seconds: CONSENT_SECONDS, claims: { asked } })
  ).token;
}

/**
 * Returns the URL for the person, with a code or `access_denied`. The same form always makes the same code. Undefined
 * if the form is not of this session, expired or was refused before, or its code was used.
 */
export async function decide(
  ctx: Ctx,
  { session, userId, form, isAllowed }: { session: string; userId: string; form: string; isAllowed: boolean },
): Promise<string | undefined> {
  const signed = await readToken(ctx, CONSENT, form);
  const asked = Asked.safeParse(signed?.claims.asked).data;
  if (signed === undefined || signed.subject !== session || asked === undefined) return undefined;
  const { secret } = await secretOfForm(ctx, { session, once: signed.id });
  const code = secret('agent_');
  const [hash, now] = [await sha256(code), ctx.clock.now()];
  const { unused } = await batch(ctx.db, {
    lock: lockUser(ctx.db, userId),
    // A refusal ends what the same form allowed before, and stores an expired code, so that it cannot allow it later.
    ...(!isAllowed && { ended: endCodes(ctx.db, { userId, hash, now }), ...endKeyOfCode(ctx, { userId, hash, now }) }),
    made: insertCode(ctx.db, {
      hash,
      userId,
      clientId: asked.clientId,
      agentName: asked.name,
      redirectUri: asked.redirectUri,
      codeChallenge: asked.codeChallenge,
      now,
      expiresAt: isAllowed ? now + CODE_SECONDS * 1_000 : now,
      guard: isSessionOpen(session, now),
    }),
    unused: selectUnusedCode(ctx.db, { hash, now }),
  });
  if (!isAllowed) return answerUrl(ctx, asked, { error: 'access_denied' });
  return unused.length === 0 ? undefined : answerUrl(ctx, asked, { code });
}
