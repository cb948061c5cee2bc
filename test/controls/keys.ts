import { controlsOf } from './control.ts';

const AUTH = 'functions/middleware/auth.ts';
const READ_PEOPLE = 'lib/availability/read-people.ts';
const REMEMBERED = 'test/functions/platform/remembered-key.long.test.ts';
const EARLY = 'test/functions/platform/early-requests.long.test.ts';
const SESSIONS = 'test/functions/dashboard/dashboard-session.test.ts';
const RECOVERED = 'test/functions/platform/regenerate-key.test.ts';
const LIMITS = 'test/functions/service/limits.long.test.ts';
const LIMITER = 'test/lib/adapters/rate-limiter.test.ts';
const AUDIT = 'test/functions/platform/audit-log.test.ts';
export const KEYS = controlsOf(
  {
    'work begins once the request is counted': {
      file: AUTH,
      from: "(check === 'beside_read' && (await passes(counted)))",
      to: "check === 'beside_read'",
      suite: LIMITS,
    },
    'of strangers no times are read': {
      file: 'schema/access/people.ts',
      from: 'select c.user_id from ${connections} c join ${users} u on u.id = c.user_id\n        where c.platform_id = ${who.platformId} and c.disconnected_at is null and ',
      to: 'select u.id from ${users} u where ',
      suite: 'test/functions/availability/served-snapshot.test.ts',
    },
    'a slow count is waited for': {
      file: 'lib/adapters/redis.ts',
      from: 'looks = answers === heard ? looks + 1 : 0;',
      to: 'looks += 1;',
      suite: LIMITER,
    },
    'a late answer shows that Redis is up': {
      file: 'lib/adapters/redis.ts',
      from: '      const counted = limiter.limit(id).then((verdict) => {\n        answers++;\n        return verdict;\n      });',
      to: '      const counted = limiter.limit(id);',
      also: {
        file: 'lib/adapters/redis.ts',
        from: 'await Promise.race([counted, quiet.begins]);',
        to: 'await Promise.race([counted, quiet.begins]);\n        answers++;',
      },
      suite: LIMITER,
    },
    'a read is answered once its key is checked': {
      file: AUTH,
      from: '    await next();\n    await admitted;',
      to: '    await next();',
    },
    'a write begins once its key is checked': {
      file: AUTH,
      from: '    else await admitted;',
      to: '    else if (known === undefined) await admitted;',
    },
    'a reschedule acts once its key is checked': {
      file: 'lib/meetings/protocol/claim.ts',
      from: '    await ctx.admitted;\n',
      to: '',
      suite: EARLY,
    },
    'an earlier answer is looked for once the key is checked': {
      file: 'lib/meetings/protocol/answer-once.ts',
      from: '  await ctx.admitted;\n',
      to: '',
      suite: EARLY,
    },
    'a job is stored only with a key that works': {
      file: 'schema/access/api-keys.ts',
      from: "then ${refuse('credential_ended')} end",
      to: 'then null end',
      suite: EARLY,
    },
    'a job that is refused has its key checked': {
      file: AUTH,
      from: '  await admit(c, key, counted);\n',
      to: '',
      suite: EARLY,
    },
    'a job counts before its batch': {
      file: AUTH,
      from: "isFresh && check === 'in_batch' && (await passes(counted))",
      to: "isFresh && check === 'in_batch'",
      suite: EARLY,
    },
    'a revoked key is not live': {
      file: 'schema/access/api-keys.ts',
      from: '.leftJoin(users, eq(users.id, apiKeys.userId))\n    .where(and(eq(apiKeys.hash, hash), isAccepted(now)));',
      to: '.leftJoin(users, eq(users.id, apiKeys.userId))\n    .where(and(eq(apiKeys.hash, hash)));',
      also: { file: AUTH, from: 'found.revokedAt - now < JUST_REPLACED_MS', to: 'found.revokedAt === now' },
    },
    'a request is answered once it is counted': {
      file: AUTH,
      from: 'await (counted ?? countByCaller(c, caller));',
      to: 'if (counted === undefined) await countByCaller(c, caller);',
    },
    'a search waits for the check before it asks a calendar': {
      file: READ_PEOPLE,
      from: '  if (snapshot === undefined) await ctx.admitted;\n',
      to: '',
    },
    'a search is noted once its key is checked': {
      file: READ_PEOPLE,
      from: 'ctx.admitted.then(note, () => undefined)',
      to: 'note().then(() => undefined)',
    },
    'a session that was ended is not open': {
      file: 'schema/access/sessions.ts',
      from: 'and(eq(sessions.id, id), isNotNull(sessions.openedAt), isNull(sessions.endedAt), gt(sessions.expiresAt, now));',
      to: 'and(eq(sessions.id, id), isNotNull(sessions.openedAt), gt(sessions.expiresAt, now));',
      suite: SESSIONS,
    },
    'a session that only looks changes nothing': {
      file: 'functions/pages/dashboard/session.ts',
      from: 'if (!anySession && openedSession(c).readOnly) throw readOnly();',
      to: 'if (!anySession && openedSession(c).readOnly) readOnly();',
      suite: SESSIONS,
    },
    'a replaced key ends the sessions': {
      file: 'lib/platforms/keys.ts',
      from: '      ended: endSessions(ctx.db, { owner: { platformId }, now, except: ownSession(ctx), guard }),\n',
      to: '',
      suite: SESSIONS,
    },
    'a key that was replaced meanwhile changes no settings': {
      file: 'lib/kit/change.ts',
      from: '      admitted: insistOnCredential(db, { credential: actor.credential, now: clock.now() }),\n',
      to: '      admitted: insistOnCredential(db, { credential: undefined, now: clock.now() + (actor ? 1 : 0) }),\n',
      suite: 'test/functions/platform/regenerate-key.test.ts',
    },
    'only the caller’s own key is kept': {
      file: 'schema/access/api-keys.ts',
      from: 'else ${at(now)} end`;',
      to: 'else ${apiKeys.revokedAt} end`;',
      suite: RECOVERED,
    },
    'a link opens for one browser': {
      file: 'schema/access/sessions.ts',
      from: 'sql`(${sessions.browser} is null or ${sessions.browser} = ${browser})`',
      to: 'sql`${browser}::text is not null`',
      suite: SESSIONS,
    },
    'a session with an old link replaces no key': {
      file: 'lib/platforms/dashboard.ts',
      from: 'if (!isFresh(ctx, { linkedAt })) throw staleLink();',
      to: 'if (!isFresh(ctx, { linkedAt })) staleLink();',
      suite: SESSIONS,
    },
    'a change and its row of the audit log commit together': {
      file: 'lib/platforms/keys.ts',
      from: '      audited: change.audited,\n',
      to: '',
      also: {
        file: 'lib/platforms/keys.ts',
        from: '  change.publish(ctx, told);',
        to: '  await change.audited;\n  change.publish(ctx, told);',
      },
      suite: 'test/flows/crash-audits.long.test.ts',
    },
    'a change that was not made is not in the audit log': {
      file: 'schema/access/audit-log.ts',
      from: '    where ${guard}\n    on conflict do nothing\n    returning id`);',
      to: '    where ${guard} or true\n    on conflict do nothing\n    returning id`);',
      suite: AUDIT,
    },
    'a platform reads its own audit log': {
      file: 'schema/access/audit-log.ts',
      from: '        eq(auditLog.platformId, platformId),\n',
      to: '        sql`${platformId}::text is not null`,\n',
      suite: AUDIT,
    },
    'a new address of the endpoint is told to the address before': {
      file: 'lib/webhooks/endpoint.ts',
      from: '    told: set.change.told,\n',
      to: '',
      suite: AUDIT,
    },
    'an erased person’s networks leave the audit log': {
      file: 'schema/access/audit-log.ts',
      from: '.set({ network: null })',
      to: '.set({ network: sql`${auditLog.network}` })',
      suite: 'test/functions/me/me.test.ts',
    },
  },
  REMEMBERED,
);
