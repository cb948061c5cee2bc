import type { Ctx } from './context.ts';
import { hmacSha256 } from './hmac.ts';
import { readToken, type Signed, signToken } from './signed-token.ts';

/** Whose pages a session opens: a person's own, or a platform's dashboard; and for how long. */
export const SESSION_SECONDS = { page: 3_600, dashboard: 12 * 3_600 } as const;
export type SessionKind = keyof typeof SESSION_SECONDS;

/** A signed session as its cookie carries it. */
export const createSession = (ctx: Ctx, kind: SessionKind, subject: string): Promise<string> =>
  signToken(ctx, { audience: `${kind}-session`, id: ctx.ids.id('sess_'), subject, seconds: SESSION_SECONDS[kind] });

/** Whose session it is; undefined for a forged or expired one. */
export async function readSession(
  ctx: Ctx,
  kind: SessionKind,
  session: string,
): Promise<(Signed & { subject: string }) | undefined> {
  const signed = await readToken(ctx, `${kind}-session`, session);
  return signed?.subject === undefined ? undefined : { ...signed, subject: signed.subject };
}

/** What a form of this session must carry. */
export const csrfToken = (ctx: Ctx, session: string) => hmacSha256(ctx.config.sessionSecret, `csrf:${session}`);
