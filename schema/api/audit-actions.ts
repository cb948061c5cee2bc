export const ACTOR_KINDS = ['key', 'session', 'operator', 'person', 'google', 'service'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

export const AUDIT_ACTIONS = [
  'key.created',
  'key.replaced',
  'key.reissued',
  'key.revoked',
  'link.created',
  'secret.rotated',
  'endpoint.changed',
  'endpoint.settings_changed',
  'redirect_uris.changed',
  'settings.changed',
  'session.opened',
  'session.ended',
  'sessions.ended',
  'person.disconnected',
  'person.erased',
  'platform.created',
  'platform.renamed',
  'platform.plan_changed',
  'platform.suspended',
  'platform.resumed',
  'platform.deleted',
] as const;
/** No platform is shown these, because they are about a person alone. */
export const OWN_ACTIONS = ['preferences.changed'] as const;
export type PlatformAction = (typeof AUDIT_ACTIONS)[number];
export type AuditAction = PlatformAction | (typeof OWN_ACTIONS)[number];

/** Kinds of changes that Tandem reports to a platform's webhook endpoint by `platform.security_changed`. */
export const SECURITY_CHANGES = [
  'key.replaced',
  'key.reissued',
  'secret.rotated',
  'endpoint.changed',
  'redirect_uris.changed',
] as const satisfies AuditAction[];
export type SecurityAction = (typeof SECURITY_CHANGES)[number];
