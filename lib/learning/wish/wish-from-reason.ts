import { formatInTimeZone } from 'date-fns-tz';
import type { ModelWish } from '../../../schema/model-answers/wish.ts';
import type { Ctx } from '../../context.ts';
import { parseDate, parseMinute, WEEKDAYS } from '../../scheduling/dates.ts';
import type { Wish } from '../../scheduling/wish.ts';
import type { Calendar } from '../text/calendar.ts';
import { plainWords } from '../text/plain-words.ts';
import { type Asker, calendarOf } from './asker.ts';
import { type Heard, hear, nothingHeard } from './hear.ts';
import { wishOf } from './wish-of.ts';

const FARTHEST_DAYS = 400;

/**
 * What a rescheduling reason asks of this meeting's new time (decisions, Meetings): by the model when its answer fits,
 * else by rules. The model sees the reason, the meeting's time and today's date, nothing else.
 */
export async function wishFromReason(ctx: Pick<Ctx, 'reader'>, reason: string, asker: Asker): Promise<Wish> {
  const { timeZone, now, oldStart, oldEnd } = asker;
  const read = await ctx.reader.readWish(reason, {
    today: formatInTimeZone(now, timeZone, 'EEEE yyyy-MM-dd'),
    meeting: `${formatInTimeZone(oldStart, timeZone, 'EEEE yyyy-MM-dd, HH:mm')} to ${formatInTimeZone(oldEnd, timeZone, 'HH:mm')}`,
  });
  const heard = read && heardFrom(read, calendarOf(asker));
  const wish = heard ? wishOf(heard, asker) : {};
  // What the model finds silent may say something after all; the rules hear nothing in a story.
  return Object.keys(wish).length > 0 ? wish : wishByRules(reason, asker);
}

/**
 * The same by rules alone: words are read on the asker's clock and calendar, no zone is guessed, and what only tells a
 * story asks for nothing.
 */
export function wishByRules(reason: string, asker: Asker): Wish {
  return wishOf(hear(plainWords(reason), calendarOf(asker)), asker);
}

const TASTE =
  /\bi (?:really |usually |generally |just )?(?:love|like|enjoy|hate|dislike|prefer)\b|\b(?:mornings|afternoons|evenings|(?:mon|tues|wednes|thurs|fri|satur|sun)days) (?:are|suit|work)\b/;

/** Whether somebody tells what they like rather than ask for it: "I love mornings", "Mondays are bad for me". */
export const tellsTaste = (reason: string): boolean => TASTE.test(plainWords(reason));

/** A model's answer as what was heard; undefined when it contradicts itself or leaves the days that can be booked. */
export function heardFrom(read: ModelWish, { today }: Calendar): Heard | undefined {
  const heard: Heard = {
    ...nothingHeard(),
    days: spansOf(read.dates),
    daysUnwanted: spansOf(read.dates_unwanted),
    weekdays: (read.weekdays_wanted ?? []).map((name) => WEEKDAYS.indexOf(name)),
    weekdaysUnwanted: (read.weekdays_unwanted ?? []).map((name) => WEEKDAYS.indexOf(name)),
    firstDay: dayOf(read.earliest_date),
    lastDay: dayOf(read.latest_date),
    clockFrom: parseMinute(read.clock_from ?? '00:00'),
    clockTo: parseMinute(read.clock_to ?? '24:00'),
    clocksUnwanted: (read.clock_unwanted ? [read.clock_unwanted] : []).map(({ from, to }) => ({
      from: parseMinute(from),
      to: parseMinute(to),
    })),
    relative: read.clock_time ?? undefined,
    by: read.clock_time ? (read.shift_minutes ?? undefined) : undefined,
    soon: read.sooner ?? undefined,
    moreTime: read.more_time ?? false,
  };
  const { days, firstDay = today, lastDay = today + FARTHEST_DAYS } = heard;
  const asked = [...days.map(({ first }) => first), firstDay, lastDay];
  const fits =
    asked.every((day) => day >= today && day <= today + FARTHEST_DAYS) &&
    firstDay <= lastDay &&
    heard.clockFrom < heard.clockTo &&
    heard.clocksUnwanted.every(({ from, to }) => from < to);
  return fits ? heard : undefined;
}

const dayOf = (date: string | null | undefined) => (date ? parseDate(date) : undefined);

const spansOf = (dates: string[] | null | undefined) =>
  (dates ?? []).flatMap((date) => {
    const day = parseDate(date);
    return day === undefined ? [] : [{ first: day, last: day }];
  });
