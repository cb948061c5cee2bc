import { readFileSync } from 'node:fs';
import { readFlags } from '../../functions/cli/command.ts';
import { cityOf } from '../../lib/words/people.ts';
import { startWorld } from '../local/world.ts';
import { lineOf } from './calendar.ts';
import { figuresOf, keepsBound, sayFigure } from './figures.ts';
import { inOrder, STORIES } from './stories.ts';
import type { Question, Story } from './story.ts';
import { BEGINNING, RULES_ALONE, tell } from './tell.ts';

const USAGE = `npm test -- stories [<numbers>] [<file.json>] prints the stories, some of them by number, or those of a file: an
array in the form of \`Story\`, in the order of their times.

  --figures          what the engine's answers are worth
  --choices [--fit]  how often it would offer the time that two strangers would
  --parties <file>   how much its first time is liked`;
const [text, yes] = [{ type: 'string' }, { type: 'boolean' }] as const;
const { values, words } = readFlags(USAGE, { figures: yes, choices: yes, fit: yes, parties: text }, { words: true });
if (values.figures) {
  const figures = figuresOf();
  for (const figure of figures)
    console.log(`${figure.name}: ${sayFigure(figure)}${keepsBound(figure) ? '' : '   (bound missed)'}`);
  process.exit(figures.every(keepsBound) ? 0 : 1);
}
if (values.choices) await import('./choices.ts');
if (values.parties !== undefined) await import('./run-parties.ts');
const file = words.find((one) => one.endsWith('.json'));
const stories = file === undefined ? STORIES : inOrder(JSON.parse(readFileSync(file, 'utf8')) as Story[]);
const numbers = words.flatMap((one) => (one === file ? [] : Number(one)));
const chosen = [...stories.entries()].filter(([i]) => numbers.length === 0 || numbers.includes(i + 1));
const world = await startWorld({ patience: 20 });
let differ = 0;
try {
  await world.advance(BEGINNING - world.clock.now());
  world.faults.add(RULES_ALONE);
  const platform = await world.platforms.create({ name: 'Stories', plan: 'enterprise' });
  for (const [i, story] of chosen) {
    const answer = await tell(world, platform, story, i + 1);
    const isAsWritten = story.answer === undefined || answer.join('\n') === story.answer.join('\n');
    if (!isAsWritten) differ += 1;
    const lines = [
      `${i + 1}. ${story.title}${isAsWritten ? '' : '   (not as written)'}`,
      ...story.people.map(lineOf),
      sayQuestion(story),
      ...answer.map((line) => `• ${line}`),
    ];
    console.log(`\n${lines.join('\n   ')}`);
  }
  console.log(`\n${chosen.length} stories, ${chosen.length - differ} as written.`);
} finally {
  await world.close();
}
process.exit(differ === 0 ? 0 : 1);

function sayQuestion({ now, people: [one], asks, earlier = [] }: Story): string {
  const known = earlier.map(({ at }) => `; the two meet on ${at} already`).join('');
  return `> ${now} in ${cityOf(one.zone)}: ${sayAsked(asks)}${known}`;
}

function sayAsked(asks: Question): string {
  if ('search' in asks) {
    const { minutes = 30, from, to } = asks.search;
    return [`search ${minutes} minutes`, ...(from ? [`from ${from}`] : []), ...(to ? [`to ${to}`] : [])].join(' ');
  }
  if ('auto' in asks) return `pick and book ${asks.auto.minutes ?? 30} minutes, ${asks.auto.context ?? 'no context'}`;
  if ('preview' in asks)
    return `preview ${asks.preview.minutes ?? 30} minutes, ${asks.preview.context ?? 'no context'}`;
  if ('propose' in asks) return `propose ${asks.propose.count ?? 3} times of ${asks.propose.minutes ?? 30} minutes`;
  if ('book' in asks) return `book ${asks.book.at} if it is free`;
  if ('explain' in asks) return `why or why not ${asks.explain.at}?`;
  return `move ${asks.move.at} (${asks.move.minutes ?? 30} minutes): “${asks.reason}”`;
}
