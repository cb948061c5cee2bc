import { DAY, HOUR } from '../engine/time/dates.ts';

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

export const sayKept = (ms: number) => (ms > DAY ? `${ms / DAY} days` : `${ms / HOUR} hours`);

/** Says what stays of a deleted account, in the words of `DELETE /v1/user`, `/me/delete`, `/privacy` and the docs. */
export const STAYS: readonly { what: string; kept: string }[] = [
  {
    what: 'Your meetings stay in both calendars, and in Tandem for the platforms that made them, there with “a former user” in place of your name and address',
    kept: 'as long as the platform keeps them',
  },
  {
    what: 'Tandem keeps the messages that it sent to platforms about you and your meetings, which have your address, and the beginning of each reply',
    kept: `${sayKept(KEPT_MS.deliveries)} after it was sent`,
  },
  {
    what: 'Tandem keeps the requests of platforms to find a time for you, which have your address',
    kept: `${sayKept(KEPT_MS.jobs)} after they ended`,
  },
  {
    what: 'Tandem keeps the proposals of times and the rounds that you were in, with “a former user” in place of your name and address',
    kept: `${sayKept(KEPT_MS.proposals)} after they and their meetings ended`,
  },
  { what: 'Answers to requests that platforms may repeat, with your address', kept: sayKept(KEPT_MS.answersUnderKeys) },
  {
    what: 'If Google has not yet confirmed that our access ended, Tandem keeps your address to ask again, and uses that access for nothing else',
    kept: `until Google has confirmed it, ${sayKept(KEPT_MS.revocations)} at most`,
  },
  {
    what: 'Tandem keeps the record of changes to keys, sessions and access, with an ID in place of your address',
    kept: sayKept(KEPT_MS.auditLog),
  },
];

export const sayStays = (): string => `This stays: ${STAYS.map(({ what, kept }) => `${what} (${kept})`).join('; ')}.`;
