import { insertAudit } from '../../schema/access/audit-log.ts';
import * as sessionRows from '../../schema/access/sessions.ts';
import { batch } from '../../schema/db.ts';
import { type Auditing, audited, auditRow } from '../kit/change.ts';
import type { Ctx } from '../kit/context.ts';
import { AppError, userGone } from '../kit/errors.ts';
import { ID_PREFIX } from '../kit/ids.ts';
import { sha256 } from '../kit/keys.ts';
import { SESSION_SECONDS, sessionToken } from '../kit/page-session.ts';
import { readToken, signToken } from '../kit/signed-token.ts';

const LINK_SECONDS = 600;
const AUDIENCE = 'dashboard-link';

/** Older sessions may not change keys and secrets, which a thief of a session would want most. */
const FRESH_MS = LINK_SECONDS * 1_000;

/**
 * The link opens the dashboard once, within ten minutes, and changes nothing if `readOnly`. It is a row in the table of
 * sessions, so whatever ends the sessions, such as a new secret key, ends unopened links too.
 */
export async function dashboardLink(
  ctx: Auditing & Pick<Ctx, 'config'>,
  platformId: string,
  { readOnly }: { readOnly: boolean },
): Promise<{ url: string; expiresAt: number }> {
  const now = ctx.clock.now();
  const id = ctx.ids.id(ID_PREFIX.session);
  const { token, expiresAt } = await signToken(ctx, {
    audience: AUDIENCE,
    id,
    subject: platformId,
    seconds: LINK_SECONDS,
  });
  const { link } = await batch(ctx.db, {
    link: sessionRows.insertLink(ctx.db, {
      id,
      platformId,
      readOnly,
      now,
      expiresAt,
      guard: sessionRows.isStillValid(ctx.actor.credential, now),
    }),
    audited: audited(ctx, {
      platformId,
      action: 'link.created',
      details: { session: id, ...(readOnly ? { read_only: 'true' } : {}) },
      guard: sessionRows.hasSession(id),
    }),
  });
  if (link.rows.length === 0) throw userGone();
  const url = new URL('/dashboard/enter', ctx.config.baseUrl);
  url.searchParams.set('link', token);
  return { url: url.href, expiresAt };
}

export async function readLink(ctx: Ctx, link: string) {
  const signed = await readToken(ctx, AUDIENCE, link);
  return signed && (await sessionRows.findLink(ctx.db, { id: signed.id, now: ctx.clock.now() }));
}

/**
 * `secret` is a random text that only this browser has, so if it opens the link again, because a form is sent twice or
 * an answer is lost, it gets the same session. Returns undefined for a forged, expired or ended link, and for one that
 * another browser opened.
 */
export async function enterDashboard(ctx: Ctx, link: string, secret: string) {
  const signed = await readToken(ctx, AUDIENCE, link);
  if (signed?.subject === undefined) return undefined;
  const { id, subject } = signed;
  const now = ctx.clock.now();
  const browser = await sha256(secret);
  const sessionUntil = now + SESSION_SECONDS.dashboard * 1_000;
  const { opened } = await batch(ctx.db, {
    opened: sessionRows.openLink(ctx.db, { id, browser, now, sessionUntil, linkSince: now - LINK_SECONDS * 1_000 }),
    audited: insertAudit(ctx.db, {
      ...auditRow(ctx, { platformId: subject, action: 'session.opened' as const }, { kind: 'session', id }),
      // The id is derived from the session's, so if the form is sent again, the audit log still has only one row.
      id: `${ID_PREFIX.audit}${id.slice(ID_PREFIX.session.length)}`,
      guard: sessionRows.isOpenedBy({ id, browser }),
    }),
  });
  const [session] = opened;
  if (session === undefined) return undefined;
  const { expiresAt } = session;
  return {
    token: await sessionToken(ctx, 'dashboard', { id, subject, expiresAt }),
    seconds: (expiresAt - now) / 1_000,
  };
}

export async function leaveDashboard(ctx: Ctx, { id, platformId }: { id: string; platformId: string }): Promise<void> {
  const now = ctx.clock.now();
  await batch(ctx.db, {
    audited: audited(ctx, {
      platformId,
      action: 'session.ended',
      details: { session: id },
      guard: sessionRows.isSessionOpen(id, now),
    }),
    ended: sessionRows.endSession(ctx.db, { id, now }),
  });
}

/** Ends every dashboard session of a platform, including the caller's own, and every link that nobody has opened. */
export async function leaveEverywhere(ctx: Ctx, platformId: string): Promise<void> {
  const now = ctx.clock.now();
  const guard = sessionRows.isStillValid(ctx.actor.credential, now);
  await batch(ctx.db, {
    audited: audited(ctx, { platformId, action: 'sessions.ended', guard }),
    ended: sessionRows.endSessions(ctx.db, { owner: { platformId }, now, guard }),
  });
}

/** Throws `forbidden` if the sign-in link that opened this session was made more than ten minutes ago. */
export function insistOnFreshLink(ctx: Pick<Ctx, 'clock'>, { linkedAt }: { linkedAt: number }): void {
  if (!isFresh(ctx, { linkedAt })) throw staleLink();
}

export const isFresh = (ctx: Pick<Ctx, 'clock'>, { linkedAt }: { linkedAt: number }): boolean =>
  ctx.clock.now() - linkedAt <= FRESH_MS;

const staleLink = () =>
  new AppError(
    'forbidden',
    'Nothing was changed, because this change requires a dashboard link that is at most ten minutes old. Get a new dashboard link where you got the last one, and try again.',
  );
