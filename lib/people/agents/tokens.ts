import {
  hasAgent,
  isNewKey,
  revokeAgent,
  revokeOldestAgents,
  selectAccepted,
} from '../../../schema/access/api-keys.ts';
import { insertAudit } from '../../../schema/access/audit-log.ts';
import {
  both,
  exchangeCode,
  findCode,
  hasKeyOfCode,
  isStillValid,
  not,
  revokeKeyOfCode,
} from '../../../schema/access/sessions.ts';
import { lockUser } from '../../../schema/access/users.ts';
import { batch } from '../../../schema/db.ts';
import { challengeOf } from '../../calendars/connect/authorization-request.ts';
import { DAY } from '../../engine/time/dates.ts';
import { audited, auditRow } from '../../kit/change.ts';
import type { Ctx } from '../../kit/context.ts';
import { maskKey, sha256 } from '../../kit/keys.ts';

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
  if (code === undefined) return UNKNOWN_CODE;
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

const UNKNOWN_CODE = 'The code is unknown.';

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
