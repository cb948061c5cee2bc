import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findSlots } from '../../lib/engine/rank/find-slots.ts';
import { weigh } from '../../lib/engine/rank/merit.ts';
import { candidateStarts } from '../../lib/engine/rules/free-time.ts';
import { formatTime, MINUTE, parseMinute, WEEKDAYS } from '../../lib/engine/time/dates.ts';
import type { FocusBlock, Search, SearchedPerson, StandingRule, WorkHours } from '../../lib/engine/types.ts';

// What `npm test -- stories --parties <file>` prints: how much the first time offered is liked, in tasks of two people
// whose busy hours and likings are known (two-party-tasks.json, of microsoft/social-reasoning-bench, which is not kept
// here). Likings are given as what the person likes and would rather avoid.

interface Party {
  busy: [string, string][];
  /** How much the person likes each hour of the day, 0 to 1. */
  likes: Record<string, number>;
}

const { parties } = parseArgs({ options: { parties: { type: 'string' } } }).values;
const { tasks } = JSON.parse(readFileSync(parties ?? '', 'utf8')) as {
  tasks: { minutes: number; requester: Party; assistant: Party }[];
};

const DATE = '2026-05-13';
const at = (clock: string) => Date.parse(`${DATE}T${clock}Z`);
const LONG_DAY = { enabled: true, start: '08:00', end: '19:00' };
const WEEK = Object.fromEntries(WEEKDAYS.map((day) => [day, LONG_DAY])) as unknown as WorkHours;

for (const bothSpeak of [false, true]) {
  const sum = { invited: 0, requester: 0, best: 0, equal: 0 };
  for (const { minutes, requester, assistant } of tasks) {
    const search: Search = {
      requester: personOf('ada@example.com', requester, bothSpeak),
      other: personOf('bob@example.com', assistant, true),
      durationMinutes: minutes,
      window: { start: DATE, end: DATE, days: 1 },
      now: Date.parse('2026-05-04T09:00Z'),
    };
    const [first] = findSlots(search).slots;
    if (first === undefined) throw new Error('A task has no common time.');
    const starts = candidateStarts(search);
    const { tiers } = weigh(search, starts);
    const likings = starts.map((start) => likingOf(assistant, start, minutes));
    sum.invited += likingOf(assistant, first.start, minutes);
    sum.requester += likingOf(requester, first.start, minutes);
    sum.best += Math.max(...likings);
    sum.equal += Math.max(...likings.filter((_, i) => tiers[i] === Math.max(...tiers)));
  }
  const percent = (part: number, whole: number) => `${((100 * part) / whole).toFixed(1)} %`;
  console.log(
    bothSpeak
      ? `both speak: the invited person has ${percent(sum.invited, sum.invited + sum.requester)} of the likings`
      : `only the invited person speaks: ${percent(sum.invited, sum.best)} of the best liking, ${percent(sum.invited, sum.equal)} of the best with an equal score`,
  );
}
process.exit(0);

/** Returns how much a person likes a meeting: the mean over its quarter hours. */
function likingOf({ likes }: Party, start: number, minutes: number): number {
  let sum = 0;
  for (let minute = 0; minute < minutes; minute += 15)
    sum += likes[`${new Date(start + minute * MINUTE).toISOString().slice(11, 13)}:00`] ?? 0;
  return (15 * sum) / minutes;
}

function personOf(email: string, { busy, likes }: Party, speaks: boolean): SearchedPerson {
  const rule = (verdict: StandingRule['verdict'], holds: (liking: number) => boolean): StandingRule[] => {
    const blocks = Object.entries(likes).flatMap(([hour, liking]): FocusBlock[] =>
      holds(liking)
        ? [{ day: 'wednesday', start: hour, end: formatTime((parseMinute(hour) + 60) * MINUTE).slice(0, 5) }]
        : [],
    );
    return blocks.length === 0 ? [] : [{ words: verdict, verdict, blocks }];
  };
  return {
    email,
    timeZone: 'UTC',
    workHours: WEEK,
    focusBlocks: [],
    standing: speaks
      ? [...rule('prefer', (liking) => liking >= 0.75), ...rule('rather_not', (liking) => liking <= 0.25)]
      : [],
    bufferMinutes: 0,
    maxMeetingsPerDay: 10,
    busy: busy.map(([start, end]) => ({ start: at(start), end: at(end) })),
    meetings: [],
  };
}
