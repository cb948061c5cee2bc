import * as z from 'zod';
import { hasAgent, isNewKey, revokeAgent, revokeOldestAgents, selectAccepted } from '../../schema/access/api-keys.ts';
import { insertAudit } from '../../schema/access/audit-log.ts';
import {
  both,
  endCodes,
  exchangeCode,
  findCode,
  hasKeyOfCode,
  insertCode,
  isSessionOpen,
  isStillValid,
  not,
  revokeKeyOfCode,
  selectUnusedCode,
} from '../../schema/access/sessions.ts';
import { lockUser } from '../../schema/access/users.ts';
import { VISIBLE, withoutHidden } from '../../schema/api/hidden-text.ts';
import { batch } from '../../schema/db.ts';
import { challengeOf } from '../calendars/connect/authorization-request.ts';
import { DAY } from '../engine/time/dates.ts';
import { audited, auditRow } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { maskKey, sha256 } from '../kit/ids.ts';
import { secretOfForm } from '../kit/page-session.ts';
import { readToken, signToken } from '../kit/signed-token.ts';
import { checkUrl, isHostName, isLocal } from '../kit/url-safety.ts';

/** Parts of a client ID metadata document that Tandem reads (draft-ietf-oauth-client-id-metadata-document-00). */
const Document = z.object({
  client_id: z.string(),
  client_name: z.string().min(1),
  redirect_uris: z.array(z.string().max(2_048)).min(1),
  token_endpoint_auth_method: z.string().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).optional(),
});

/** Agent as its own document describes it. Only `host` is verified, because the document came from there. */
export type Agent = Exclude<Awaited<ReturnType<typeof readAgent>>, string>;

const LONGEST_NAME = 60;

/** The `client_id` is the document's URL. Returns a sentence if the URL or the document is not acceptable. */
async function readAgent(ctx: Pick<Ctx, 'dns' | 'config' | 'agentDocuments'>, clientId: string) {
  const verdict = await checkUrl(ctx, clientId, { at: 'attempt' });
  if (!verdict.safe) return `The client_id ${verdict.reason}`;
  const url = new URL(clientId);
  if (url.href !== clientId || url.pathname === '/' || url.hash !== '')
    return 'The client_id must be the exact URL of a document, with a path and without a fragment.';
  const read = await ctx.agentDocuments.read(clientId);
  if ('failure' in read) return UNREAD[read.failure];
  const document = Document.safeParse(parse(read.text));
  if (!document.success) return 'The document at client_id must be JSON with client_id, client_name and redirect_uris.';
  const { client_id, client_name, redirect_uris } = document.data;
  if (client_id !== clientId) return 'The document at client_id lists another client_id.';
  if (!isPublicClient(document.data))
    return 'The document at client_id must allow the token_endpoint_auth_method none, because agents have no secret here.';
  return {
    clientId,
    host: url.hostname,
    path: `${url.pathname}${url.search}`,
    name: nameOf(client_name),
    redirectUris: redirect_uris,
  };
}

const UNREAD = {
  status: 'The document at client_id could not be read: its server must answer 200, without a redirect.',
  not_json: 'The document at client_id must be served as application/json, or as another type that ends in +json.',
  too_large: 'The document at client_id is larger than 5 KB.',
  unreachable: 'The document at client_id could not be read, because its server did not answer.',
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isPublicClient = (document: z.infer<typeof Document>) =>
  (document.token_endpoint_auth_method ?? 'none') === 'none' ||
  document.token_endpoint_auth_methods_supported?.includes('none') === true;

/** Removes invisible and direction characters, with which a name could pose as another or as text of Tandem's. */
function nameOf(text: string): string {
  const line = withoutHidden(text.replace(/\s+/gu, ' ')).replace(/[\p{Cc}\p{Cs}\p{Co}\p{Cn}]/gu, '');
  return VISIBLE.test(line) ? [...line.trim()].slice(0, LONGEST_NAME).join('') : '';
}

/** The URI may have another port on a loopback address (RFC 8252). It must be https, or http on the own machine. */
function isRedirectUriOf({ redirectUris }: Agent, text: string): boolean {
  // A URL parser drops blanks and control characters, which the redirect would then keep.
  if (!URL.canParse(text) || /[\s\\\p{Cc}]/u.test(text)) return false;
  const url = new URL(text);
  const isLoopback = url.protocol === 'http:' && isLocal(text);
  if (url.hash !== '' || url.username !== '' || url.password !== '') return false;
  if (!isLoopback && (url.protocol !== 'https:' || !isHostName(url.hostname))) return false;
  return redirectUris.some((listed) => listed === text || (isLoopback && withoutPort(listed) === withoutPort(text)));
}

function withoutPort(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  url.port = '';
  return url.href;
}

/** Time in seconds for which the consent page can be answered, and for which a code can be exchanged. */
const CONSENT_SECONDS = 600;
const CODE_SECONDS = 60;
const LONGEST_STATE = 2_048;
const CONSENT = 'agent-consent';

const AgentRequest = z.object({
  clientId: z.string(),
  name: z.string(),
  redirectUri: z.string(),
  codeChallenge: z.string(),
  state: z.string().optional(),
});
export type AgentRequest = z.infer<typeof AgentRequest>;

/** `backTo` is the agent's own URL with the error, if the request names one that is known to be the agent's. */
type ReadRequest =
  | { agent: Agent; asked: AgentRequest }
  | { agent?: Agent; wrong: string; backTo?: string | undefined };

/** Returns the identifier of the only resource for which tokens are issued: the MCP server (RFC 8707). */
export const resourceOf = ({ config }: Pick<Ctx, 'config'>) => `${config.baseUrl}/mcp`;

/** Returns true if a `resource` parameter names the MCP server, perhaps with a slash at the end, or if there is none. */
export const isOurResource = (ctx: Pick<Ctx, 'config'>, resource: string | null) =>
  resource === null || (URL.canParse(resource) && new URL(resource).href.replace(/\/$/, '') === resourceOf(ctx));

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
export async function consentForm(ctx: Ctx, session: string, asked: AgentRequest): Promise<string> {
  const id = ctx.ids.secret('');
  return (
    await signToken(ctx, { audience: CONSENT, id, subject: session, seconds: CONSENT_SECONDS, claims: { asked } })
  ).token;
}

/** The same form always makes the same code. Returns undefined if the form is foreign, expired, refused or used. */
export async function decide(
  ctx: Ctx,
  { session, userId, form, isAllowed }: { session: string; userId: string; form: string; isAllowed: boolean },
): Promise<string | undefined> {
  const signed = await readToken(ctx, CONSENT, form);
  const asked = AgentRequest.safeParse(signed?.claims.asked).data;
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

/** Time in days for which an agent's API key works (schema/DECISIONS.md, "Agents that sign in"). */
export const AGENT_DAYS = 90;
/** Most agents that can have access to one person's data. One more ends the access of the oldest. */
export const MOST_AGENTS = 20;

interface Exchange {
  code: string;
  verifier: string;
  clientId: string;
  /** Redirect URI of the authorization request. An agent of OAuth 2.1 may leave it out. */
  redirectUri: string | null;
}

/** Returns the key or why there is none. A repeated code loses its key: one of the two who sent it stole it. */
export async function exchange(ctx: Ctx, asked: Exchange): Promise<{ key: string } | string> {
  const hash = await sha256(asked.code);
  const code = await findCode(ctx.db, hash);
  const now = ctx.clock.now();
  if (code === undefined) return 'The code is unknown.';
  if (code.usedAt !== null) return refuseReplay(ctx, code.userId, hash);
  if (code.expiresAt <= now) return 'The code has expired.';
  if (code.clientId !== asked.clientId) return 'The code was made for another client_id.';
  if (asked.redirectUri !== null && code.redirectUri !== asked.redirectUri)
    return 'The code was made for another redirect_uri.';
  if (!/^[\w.~-]{43,128}$/.test(asked.verifier) || (await challengeOf(asked.verifier)) !== code.codeChallenge)
    return 'The code_verifier does not match the code_challenge.';

  const key = await ctx.keys.create('sk_user_');
  const [keyHash, masked] = [await sha256(key), maskKey(key)];
  const { hostname: agentHost, pathname, search } = new URL(code.clientId);
  const { userId } = code;
  const made = not(isNewKey(keyHash));
  const row = auditRow(
    ctx,
    { userId, action: 'key.created' as const, details: { key: masked, agent: agentHost } },
    { kind: 'person', id: userId },
  );
  const { issued } = await batch(ctx.db, {
    lock: lockUser(ctx.db, userId),
    exchanged: exchangeCode(ctx.db, {
      hash,
      key: { hash: keyHash, masked, agentHost, agentPath: pathname + search, expiresAt: now + AGENT_DAYS * DAY },
      now,
    }),
    audited: insertAudit(ctx.db, { ...row, guard: made }),
    oldest: revokeOldestAgents(ctx.db, { userId, now, most: MOST_AGENTS }),
    issued: selectAccepted(ctx.db, { hash: keyHash, now }),
  });
  return issued.length > 0 ? { key } : refuseReplay(ctx, userId, hash);
}

async function refuseReplay(ctx: Ctx, userId: string, hash: string): Promise<string> {
  await batch(ctx.db, { lock: lockUser(ctx.db, userId), ...endKeyOfCode(ctx, { userId, hash, now: ctx.clock.now() }) });
  return 'The code was used before. The token that it made is revoked.';
}

export function endKeyOfCode(ctx: Ctx, { userId, hash, now }: { userId: string; hash: string; now: number }) {
  const row = auditRow(ctx, { userId, action: 'key.revoked' as const }, { kind: 'person', id: userId });
  return {
    audited: insertAudit(ctx.db, { ...row, guard: hasKeyOfCode({ hash, now }) }),
    revoked: revokeKeyOfCode(ctx.db, { hash, now }),
  };
}

export async function endAgent(ctx: Ctx, { userId, id }: { userId: string; id: string }): Promise<void> {
  const now = ctx.clock.now();
  const isMine = isStillValid(ctx.actor.credential, now);
  await batch(ctx.db, {
    lock: lockUser(ctx.db, userId),
    audited: audited(ctx, { userId, action: 'key.revoked', guard: both(hasAgent({ userId, id, now }), isMine) }),
    revoked: revokeAgent(ctx.db, { userId, id, now, guard: isMine }),
  });
}
