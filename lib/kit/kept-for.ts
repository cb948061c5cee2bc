import { DAY } from '../engine/time/dates.ts';

/** `schema/README.md` says what never expires by age. */
export const KEPT_MS = {
  deliveries: 30 * DAY,
  jobs: 30 * DAY,
  proposals: 30 * DAY,
  batches: 30 * DAY,
  answersUnderKeys: DAY,
  failedMeetings: 7 * DAY,
  holds: 30 * DAY,
  agentCodes: DAY,
  revokedKeys: 30 * DAY,
  undoneChanges: 365 * DAY,
  revocations: 30 * DAY,
  endedUsers: 30 * DAY,
  unusedGuests: DAY,
  sessions: DAY,
  auditLog: 400 * DAY,
};
