import { localDay } from '../engine/time/zone.ts';
import { type Box, nothingRead, type Reading } from '../engine/wish/reading.ts';
import type { Calendar } from './calendar.ts';
import { ANY, type Purpose, readByRules, readContext } from './grammar/read.ts';
import { parseReading, readingSchema } from './model/answer.ts';
import { checkReading } from './model/check.ts';
import type { ReadingModel } from './model/port.ts';
import { promptFor } from './model/prompt.ts';
import { type Asker, calendarOf } from './wish/wish-of.ts';

/** Longest time in milliseconds that the language model gets to read one text. */
const PATIENCE_MS = 3_000;

type Reader = { model: ReadingModel; clock: { now(): number } };

/**
 * Uses the model's answer if one arrives in time and something in it passes the checks, or else what the rules read.
 * The model sees the reason, the meeting's time, the writer's zone and a calendar, and nothing else.
 */
export async function readReason(ctx: Reader, reason: string, asker: Asker): Promise<Reading> {
  const calendar = calendarOf(asker);
  return bounded((await askModel(ctx, reason, 'reason', calendar)) ?? readByRules(reason, calendar));
}

/** The most wishes, and refusals, that count. The search costs about as much for each. */
const MOST_BOXES = 12;

function bounded(reading: Reading): Reading {
  const keep = <B extends Box & { quote: string }>(boxes: readonly B[]): B[] => {
    const kept = [...new Map(boxes.map((box) => [JSON.stringify({ ...box, quote: '' }), box])).values()];
    reading.unread.push(...kept.slice(MOST_BOXES).map(({ quote }) => quote));
    return kept.slice(0, MOST_BOXES);
  };
  return { ...reading, wanted: keep(reading.wanted), refused: keep(reading.refused) };
}

/** Each sentence is a rule for all meetings. Clock times of other zones are read in the person's zone. */
export async function readSchedulingContext(ctx: Reader, text: string, of: Partial<Calendar> = {}): Promise<Reading> {
  if (text.trim() === '') return nothingRead('rules');
  const at = ctx.clock.now();
  const today = localDay(of.timeZone ?? 'UTC', at);
  const read = await askModel(ctx, text, 'context', { ...ANY, ...of, today, oldDay: today, isNew: true, zonesAt: at });
  return read ?? readContext(text, { timeZone: of.timeZone, at });
}

export async function askModel({ model, clock }: Reader, text: string, purpose: Purpose, calendar: Calendar) {
  const answer = await model.ask(promptFor(text, purpose, calendar), readingSchema(), clock.now() + PATIENCE_MS);
  const parsed = parseReading(answer);
  return parsed && checkReading(parsed, text, purpose, calendar);
}

/** Returns true if a text says something about time, and nothing of it was understood as a wish for this meeting. */
export const isUnclear = ({ wanted, refused, moves, soon, unread }: Reading): boolean =>
  unread.length > 0 && wanted.length + refused.length + moves.length === 0 && soon === undefined;

/** "Mondays are bad for me" says what the person likes, and asks for no time. */
export function isTasteOf({ wanted, refused, moves, soon, standing }: Reading): boolean {
  const parts = [...wanted, ...refused];
  const isStanding = ({ quote }: { quote: string }) => standing.some((rule) => rule.quote === quote);
  return parts.length > 0 && moves.length === 0 && soon === undefined && parts.every(isStanding);
}
