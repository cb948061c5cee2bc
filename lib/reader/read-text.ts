import { nothingRead, type Reading } from '../engine/wish/reading.ts';
import { parseReading, READING_SCHEMA } from './model/answer.ts';
import { type Checked, checkReading } from './model/check.ts';
import type { Message, ReadingModel } from './model/port.ts';
import { promptAgain, promptFor } from './model/prompt.ts';
import { readByRules } from './rules/read.ts';
import { ANY, readContext } from './rules/read-context.ts';
import { type Asker, calendarOf } from './wish/asker.ts';

/** Longest time in milliseconds that the language model gets to read one text, including a second question about it. */
const PATIENCE_MS = 3_000;

interface Reader {
  model: ReadingModel;
  clock: { now(): number };
}

/**
 * Reads a rescheduling reason. It uses the language model's answer if one arrives in time and something in it passes
 * the checks. Otherwise it uses what the rules read. The model sees the reason, the meeting's time and a calendar, and
 * nothing else.
 */
export async function readReason(ctx: Reader, reason: string, asker: Asker): Promise<Reading> {
  const calendar = calendarOf(asker);
  const byRules = readByRules(reason, calendar);
  const check = (answer: unknown) => {
    const parsed = parseReading(answer);
    return parsed && checkReading(parsed, reason, 'reason', calendar, byRules);
  };
  return (await askModel(ctx, promptFor(reason, 'reason', calendar), check)) ?? byRules;
}

/**
 * Reads a scheduling context, a person's text about when they like to meet, with the language model or the built-in
 * rules. Each sentence counts as a rule for all meetings. Clock times of other zones are read in the person's zone.
 */
export async function readSchedulingContext(ctx: Reader, text: string, timeZone?: string): Promise<Reading> {
  if (text.trim() === '') return nothingRead('rules');
  const byRules = readContext(text, { timeZone, at: ctx.clock.now() });
  const check = (answer: unknown) => {
    const parsed = parseReading(answer);
    return parsed && checkReading(parsed, text, 'context', ANY, byRules);
  };
  return (await askModel(ctx, promptFor(text, 'context', undefined), check)) ?? byRules;
}

/**
 * Asks the model, and asks once more if its answer contradicts what the rules read. A part that still contradicts them
 * counts as not understood. Returns undefined if there is no answer, or if no part of it passes the checks.
 */
async function askModel(
  { model, clock }: Reader,
  messages: Message[],
  check: (answer: unknown) => Checked | undefined,
): Promise<Reading | undefined> {
  const deadline = clock.now() + PATIENCE_MS;
  const first = check(await model.ask(messages, READING_SCHEMA, deadline));
  if (first === undefined || first.isHollow) return undefined;
  if (first.contradictions.length === 0) return first.reading;
  const second = check(await model.ask(promptAgain(messages, first.contradictions), READING_SCHEMA, deadline));
  return (second ?? first).reading;
}
