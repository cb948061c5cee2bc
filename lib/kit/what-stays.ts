import { DAY, HOUR } from '../engine/time/dates.ts';
import { KEPT_MS } from './kept-for.ts';

export const sayKept = (ms: number) => (ms > DAY ? `${ms / DAY} days` : `${ms / HOUR} hours`);

/** Data that stays after a person has deleted their account, and for how long. */
export interface Staying {
  what: string;
  kept: string;
}

/**
 * Lists the data that Tandem keeps after a person has deleted their account. `DELETE /v1/user`, `/me/delete`,
 * `/privacy` and the documentation all say it in these words. `schema/upkeep/users-erase.ts` has the statements that delete the rest.
 */
export const STAYS: readonly Staying[] = [
  {
    what: 'Your meetings, on the calendars and in the records of the platforms that made them, where “a former user” replaces your name and address',
    kept: 'as long as the platform keeps them',
  },
  {
    what: 'What platforms were told about you and your meetings, with your address, and the beginning of what they answered',
    kept: `${sayKept(KEPT_MS.deliveries)} after it was sent`,
  },
  {
    what: 'Requests of platforms to find a time for you, with your address',
    kept: `${sayKept(KEPT_MS.jobs)} after they ended`,
  },
  {
    what: 'Proposals of times and rounds that you were in, where “a former user” replaces your name and address',
    kept: `${sayKept(KEPT_MS.proposals)} after they and their meetings ended`,
  },
  { what: 'Answers that a platform may ask for again, with your address', kept: sayKept(KEPT_MS.answersUnderKeys) },
  {
    what: 'The access that Google must still end, with your address',
    kept: `until Google has confirmed it, ${sayKept(KEPT_MS.revocations)} at most`,
  },
  {
    what: 'Who changed keys, sessions and access, with an ID in place of your address',
    kept: sayKept(KEPT_MS.auditLog),
  },
];

export const sayStays = (): string => `This stays: ${STAYS.map(({ what, kept }) => `${what} (${kept})`).join('; ')}.`;
