import { rmSync } from 'node:fs';
import { formatInTimeZone } from 'date-fns-tz';
import { end, readFlags, refuse } from '../../functions/cli/command.ts';
import { readByRules } from '../../lib/reader/grammar/read.ts';
import { readReason, readSchedulingContext } from '../../lib/reader/read-text.ts';
import { calendarOf, wishOf } from '../../lib/reader/wish/wish-of.ts';
import { describeReading } from '../../lib/words/understood.ts';
import { type Asked, askingWorkersAi, modelFor, playing, writingPrompts } from './ask.ts';
import { BUSY_CALENDARS, busyCalendar, freeAt, placeOf, slotsUnder } from './place.ts';
import { askerOf, couldBeRight, isRefused, readSet, type Sentence, type Verdict, verdictOf } from './set.ts';
import { fuzz, HARMLESS } from './steady.ts';

const USAGE = `npm run reading -- <set.json> judges how a set of sentences is read, by where the engine then puts the meeting and by
what is claimed to be understood. Rules alone read them, unless a flag says otherwise:

  --prompts <out.jsonl>   writes what a model would be asked, and judges the rules
  --answers <in.json>     judges a model's recorded answers, as --model and POST /model play them
  --workers-ai <in.json>  asks Workers AI (CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_API_TOKEN, AI_MODEL), and keeps its answers there
  --steady                changes each reason in ways that ask for nothing else
  --fuzz <count>          reads texts made of the set's words in any order
  --list                  also prints each sentence that was not read right`;

const text = { type: 'string' } as const;
const yes = { type: 'boolean', default: false } as const;
const flags = readFlags(
  USAGE,
  { prompts: text, answers: text, 'workers-ai': text, steady: yes, fuzz: text, list: yes },
  { words: true },
);
const [file] = flags.words;
if (file === undefined) end(refuse('Name a set.', USAGE));
const set = readSet(file);

function source(): Asked {
  const { prompts, answers, 'workers-ai': real } = flags.values;
  if (prompts !== undefined) {
    rmSync(prompts, { force: true });
    return writingPrompts(prompts);
  }
  if (answers !== undefined) return playing(answers);
  if (real !== undefined) return askingWorkersAi(real);
  return async () => undefined;
}

const asked = source();
const share = (part: number, of: number) => `${part} of ${of} (${of === 0 ? 0 : ((100 * part) / of).toFixed(1)} %)`;
const line = (name: string, part: number, of: number) => console.log(`  ${name.padEnd(34)}${share(part, of)}`);

async function judge(sentence: Sentence) {
  const asker = askerOf(sentence.setting ?? set.setting);
  const reading = await readReason(
    { model: modelFor(sentence.text, asked), clock: { now: () => 0 } },
    sentence.text,
    asker,
  );
  const wish = wishOf(reading, asker);
  const { understood } = describeReading(reading);
  const isClaimed = understood.length > 0;
  const { starts } = sentence;
  const { place } = placeOf(asker, wish, starts && freeAt(starts, asker));
  const busy = { of: 0, right: 0, wrong: 0, refused: 0 };
  for (let n = 0; sentence.asks && starts === undefined && n < BUSY_CALENDARS; n++) {
    const placed = placeOf(asker, wish, busyCalendar(n, asker));
    if (!couldBeRight(sentence, asker, placed.free())) continue;
    const verdict = verdictOf(sentence, isClaimed, asker, placed.place);
    busy.of += 1;
    busy.right += Number(verdict === 'right');
    busy.wrong += Number(verdict === 'wrong');
    busy.refused += Number(isRefused(sentence, asker, placed.place));
  }
  const at = place && formatInTimeZone(place.start, asker.timeZone, 'EEE d MMM HH:mm');
  const note = `${at} ${JSON.stringify({ understood: understood.map(({ meaning }) => meaning), unread: reading.unread })}`;
  return {
    sentence,
    verdict: verdictOf(sentence, isClaimed, asker, place),
    isRefused: isRefused(sentence, asker, place),
    busy,
    note,
    by: reading.by,
  };
}

type Judged = Awaited<ReturnType<typeof judge>>;

function reportReasons(judged: readonly Judged[]): void {
  const asking = judged.filter(({ sentence }) => sentence.asks);
  const idle = judged.filter(({ sentence }) => !sentence.asks);
  const count = (verdict: Verdict) => judged.filter((one) => one.verdict === verdict).length;
  const sum = (what: keyof Judged['busy']) => asking.reduce((all, { busy }) => all + busy[what], 0);
  console.log(`${asking.length} reasons that ask for something, ${idle.length} that ask for nothing`);
  for (const verdict of ['right', 'tolerable', 'abstained'] as const) line(verdict, count(verdict), asking.length);
  line('claimed and wrong', count('wrong'), asking.length);
  line('moved to a refused time', asking.filter((one) => one.isRefused).length, asking.length);
  line('left alone', count('left_alone'), idle.length);
  line('read by the model', judged.filter(({ by }) => by === 'model').length, judged.length);
  console.log(`In ${BUSY_CALENDARS} busy calendars, whenever a right time was free:`);
  line('right', sum('right'), sum('of'));
  line('claimed and wrong', sum('wrong'), sum('of'));
  line('moved to a refused time', sum('refused'), sum('of'));
  if (flags.values.list)
    for (const { sentence, verdict, note } of judged)
      if (verdict !== 'right' && verdict !== 'left_alone')
        console.log(`${verdict.padEnd(10)} ${sentence.id} ${JSON.stringify(sentence.text)}\n           ${note}`);
}

async function reportContexts(): Promise<void> {
  let refused = 0;
  let understood = 0;
  let invented = 0;
  for (const sentence of set.contexts) {
    const asker = { ...askerOf(sentence.setting ?? set.setting), context: sentence.context };
    const reading = await readSchedulingContext(
      { model: modelFor(sentence.text, asked), clock: { now: () => asker.now } },
      sentence.text,
      { timeZone: asker.timeZone },
    );
    const { starts, ok } = sentence;
    const few = starts && ([freeAt(starts, asker), Math.min(5, ok.length)] as const);
    const slots = few ? slotsUnder(reading.standing, asker, ...few) : slotsUnder(reading.standing, asker);
    const holdsRefused = slots.some((slot) => isRefused(sentence, asker, slot));
    refused += Number(holdsRefused);
    if (sentence.asks) understood += Number(reading.standing.length > 0);
    else invented += Number(reading.standing.length > 0);
    if (
      flags.values.list &&
      (holdsRefused || (sentence.asks ? reading.standing.length === 0 : reading.standing.length > 0))
    )
      console.log(
        `${holdsRefused ? 'refused' : sentence.asks ? 'abstained' : 'invented'} ${sentence.id} ${JSON.stringify(sentence.text)}\n           ${JSON.stringify(describeReading(reading).understood.map(({ meaning }) => meaning))}`,
      );
  }
  const asking = set.contexts.filter(({ asks }) => asks).length;
  console.log(`${set.contexts.length} scheduling contexts, ${asking} of them with rules`);
  line('something understood', understood, asking);
  line('something invented', invented, set.contexts.length - asking);
  line('a refused slot among five', refused, set.contexts.length);
}

/** Says how often a change that asks for nothing else changes the verdict on a reason. */
function reportSteadiness(): void {
  const verdictOn = (sentence: Sentence, text: string) => {
    const asker = askerOf(sentence.setting ?? set.setting);
    const reading = readByRules(text, calendarOf(asker));
    const isClaimed = describeReading(reading).understood.length > 0;
    return verdictOf(sentence, isClaimed, asker, placeOf(asker, wishOf(reading, asker)).place);
  };
  const before = set.reasons.map((sentence) => verdictOn(sentence, sentence.text));
  let kept = 0;
  for (const [name, change] of HARMLESS) {
    const changed = set.reasons.filter((one, i) => verdictOn(one, change(one.text)) !== before[i]);
    kept += set.reasons.length - changed.length;
    line(`same with ${name}`, set.reasons.length - changed.length, set.reasons.length);
    if (flags.values.list) for (const { id, text } of changed) console.log(`    ${id} ${JSON.stringify(text)}`);
  }
  line('same with all of them', kept, HARMLESS.length * set.reasons.length);
}

function reportFuzz(texts: number): void {
  const { slowest, short, long } = fuzz(set, texts);
  console.log(`  ${texts} texts read as reasons and as contexts, none of them made the rules throw`);
  console.log(`  slowest ${slowest.ms.toFixed(1)} ms: ${JSON.stringify(slowest.text.slice(0, 100))}`);
  console.log(`  ${short.toFixed(1)} µs a character in short texts, ${long.toFixed(1)} in long ones`);
}

async function report(): Promise<void> {
  if (flags.values.steady) return reportSteadiness();
  if (flags.values.fuzz !== undefined) return reportFuzz(Number(flags.values.fuzz));
  const judged: Judged[] = [];
  for (const sentence of set.reasons) judged.push(await judge(sentence));
  if (judged.length > 0) reportReasons(judged);
  if (set.contexts.length > 0) await reportContexts();
}

console.log(file);
await report();
