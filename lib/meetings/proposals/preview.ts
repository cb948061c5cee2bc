import type { Ctx, Platform } from '../../kit/context.ts';
import type { Pair, PersonInZone } from '../../person/person.ts';
import { clockWarnings, timeWarnings } from '../verbs/protected-time.ts';
import type { OfferedTime } from './pick-times.ts';
import { findTimes } from './propose.ts';
import { findMove } from './propose-move.ts';

/** Makes no proposal and reserves nothing. Throws the errors of `proposeTimes` about people, calendars and times. */
export async function previewProposal(ctx: Ctx, platform: Platform, asked: Parameters<typeof findTimes>[2]) {
  const { people, times, read } = await findTimes(ctx, platform, asked);
  return { people, times, read, warnings: warningsAbout(people, times, asked.starts) };
}

/** Makes no proposal and reserves nothing. Throws the errors of `proposeMove` about meeting, people and times. */
export async function previewMove(ctx: Ctx, platform: Platform, asked: Parameters<typeof findMove>[2]) {
  const { old, people, times, read } = await findMove(ctx, platform, asked);
  return { old, people, times, read, warnings: warningsAbout(people, times, asked.starts) };
}

const warningsAbout = (people: Pair<PersonInZone>, times: OfferedTime[], starts: number[] | undefined): string[] => [
  ...(starts === undefined ? clockWarnings(people) : []),
  ...times.flatMap((time) => timeWarnings(people, time)),
];
