import { type TimesGiven, timesReader } from '../../availability/asked-times.ts';
import { loadBoth } from '../../availability/search.ts';
import type { Ctx, Platform } from '../../kit/context.ts';
import type { Pair, PersonInZone } from '../../person/person.ts';
import { clockWarnings, timeWarnings } from '../verbs/protected-time.ts';
import { givenTimes } from './given-times.ts';
import { type OfferedTime, type PickedTimes, pickTimes } from './pick-times.ts';
import { untilOf } from './propose.ts';
import { findMove } from './propose-move.ts';

interface Asked {
  attendees: [string, string];
  /** IANA time zone of the other person, for a guest. Undefined if nobody gave one. */
  guestTimeZone?: string | undefined;
  /** Starts in epoch milliseconds. If undefined, Tandem picks at most `count` times. */
  starts: number[] | undefined;
  count: number;
  asks?: TimesGiven | undefined;
  durationMinutes: number;
}

/** Makes no proposal and reserves nothing. Throws the errors of `proposeTimes` about people, calendars and times. */
export async function previewProposal(ctx: Ctx, platform: Platform, { starts, ...asked }: Asked) {
  const { attendees } = asked;
  const guest = { timeZone: asked.guestTimeZone };
  const loaded = await loadBoth(ctx, platform, {
    attendees,
    isFresh: true,
    until: untilOf(ctx, { starts, asks: asked.asks }),
    guest,
  });
  const picked: PickedTimes = starts
    ? { times: await givenTimes(ctx, platform, loaded, { ...asked, starts, guest }) }
    : await pickTimes(ctx, loaded, { ...asked, read: timesReader(ctx, asked.asks ?? {}) });
  return { people: loaded.people, ...picked, warnings: warningsAbout(loaded.people, picked.times, starts) };
}

/** Makes no proposal and reserves nothing. Throws the errors of `proposeMove` about meeting, people and times. */
export async function previewMove(ctx: Ctx, platform: Platform, asked: Parameters<typeof findMove>[2]) {
  const { old, people, times, read } = await findMove(ctx, platform, asked);
  return {
    title: old.title,
    version: old.version,
    people,
    times,
    read,
    warnings: warningsAbout(people, times, asked.starts),
  };
}

const warningsAbout = (people: Pair<PersonInZone>, times: OfferedTime[], starts: number[] | undefined): string[] => [
  ...(starts === undefined ? clockWarnings(people) : []),
  ...times.flatMap((time) => timeWarnings(people, time)),
];
