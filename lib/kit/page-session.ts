import { base64url } from 'jose';
import { insertAudit } from '../../schema/access/audit-log.ts';
import * as sessionRows from '../../schema/access/sessions.ts';
import { lockUser } from '../../schema/access/users.ts';
import { batch } from '../../schema/db.ts';
import { type Auditing, audited, auditRow } from './change.ts';
import type { Ctx } from './context.ts';
import { hmac, hmacSha256 } from './hmac.ts';
import { ID_PREFIX } from './ids.ts';
import type { Ids } from './ports.ts';
import { readToken, signToken } from './signed-token.ts';

/** `page` opens a person's own pages, and `dashboard` opens a platform's dashboard. */
export const SESSION_SECONDS = { page: 3_600, dashboard: 12 * 3_600 } as const;
export type SessionKind = keyof typeof SESSION_SECONDS;

/** Session of a browser on the HTML pages: a row in Postgres, whose id the browser's cookie contains. */
export type PageSession = { id: string; subject: string };

/** Signs a session's token for the browser's cookie. The row in Postgres says whether the session is still open. */
export async function sessionToken(
  ctx: Ctx,
  kind: SessionKind,
  { expiresAt, ...session }: PageSession & { expiresAt: number },
): Promise<string> {
  const seconds = Math.max(1, Math.ceil((expiresAt - ctx.clock.now()) / 1_000));
  return (await signToken(ctx, { audience: `${kind}-session`, ...session, seconds })).token;
}

/** Returns undefined for a forged or expired token. Does not ask Postgres whether the session is still open. */
export async function readSession(ctx: Ctx, kind: SessionKind, token: string): Promise<PageSession | undefined> {
  const signed = await readToken(ctx, `${kind}-session`, token);
  return signed?.subject === undefined ? undefined : { id: signed.id, subject: signed.subject };
}

/** The statements store the session and record it in the audit log, in the batch that stores the consent. */
export function newPersonSession(ctx: Auditing, userId: string) {
  const now = ctx.clock.now();
  const id = ctx.ids.id(ID_PREFIX.session);
  const expiresAt = now + SESSION_SECONDS.page * 1_000;
  const opened = { userId, action: 'session.opened', details: { session: id } } as const;
  const row = auditRow(ctx, opened, { kind: 'person', id: userId });
  return {
    session: { id, subject: userId, expiresAt },
    statements: {
      session: sessionRows.insertSession(ctx.db, { id, userId, now, expiresAt }),
      sessionAudited: insertAudit(ctx.db, { ...row, guard: sessionRows.hasSession(id) }),
    },
  };
}

/** Ends a person's session, or all of that person's sessions and the codes of agents that were not exchanged. */
export async function leavePages(
  ctx: Ctx,
  { id, userId }: { id: string; userId: string },
  { everywhere }: { everywhere: boolean },
): Promise<void> {
  const now = ctx.clock.now();
  const guard = sessionRows.isSessionOpen(id, now);
  const audit = everywhere
    ? audited(ctx, { userId, action: 'sessions.ended', guard })
    : audited(ctx, { userId, action: 'session.ended', details: { session: id }, guard });
  await batch(ctx.db, {
    // A code that a page of the person makes at the same time is made before, and ends, or is refused.
    ...(everywhere && { lock: lockUser(ctx.db, userId), codes: sessionRows.endCodes(ctx.db, { userId, now, guard }) }),
    audit,
    ended: everywhere
      ? sessionRows.endSessions(ctx.db, { owner: { userId }, now, guard })
      : sessionRows.endSession(ctx.db, { id, now }),
  });
}

export const csrfToken = (ctx: Ctx, session: string) => hmacSha256(ctx.config.sessionSecret, `csrf:${session}`);

/**
 * Derives 256 bits from a session and the random text in one form, so a form that is sent twice, or whose first answer
 * is lost, shows the secret that it first created. For an API request, the `Idempotency-Key` takes the place of the
 * random text, and the API key that of the session.
 */
export async function secretOfForm(
  ctx: Pick<Ctx, 'config'>,
  { session, once }: { session: string; once: string },
): Promise<Pick<Ids, 'secret'>> {
  const bytes = await hmac(ctx.config.sessionSecret, `once:${session}:${once}`);
  const text = base64url.encode(bytes);
  return { secret: (prefix) => prefix + text };
}

/** Its action must run only once. Returns undefined if the text is missing or malformed. */
export function onceIn(form: URLSearchParams): string | undefined {
  const once = form.get('once') ?? '';
  return /^[\w-]{43}$/.test(once) ? once : undefined;
}
