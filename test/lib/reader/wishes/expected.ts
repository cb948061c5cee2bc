import { fromZonedTime } from 'date-fns-tz';
import type { Wish } from '../../../../lib/engine/wish/wish.ts';
import type { Asker } from '../../../../lib/reader/wish/asker.ts';
import { CALENDARS } from './calendars.ts';
import * as clocks from './clocks.ts';
import * as days from './days.ts';
import * as letters from './letters.ts';
import { NOTES } from './notes.ts';
import { BEYOND_RULES, BRIEF, PHONES } from './phones.ts';
import type { Said, Scene } from './said.ts';

const { HOURS, ...ofClocks } = clocks;

/** Every sentence with the scene it is said in, by group. */
export const TABLE: { group: string; scene: Scene; text: string; said: Said }[] = [
  ...groupsOf(days),
  ...groupsOf(ofClocks),
  ...groupsOf({ ...letters, NOTES, PHONES, BRIEF, BEYOND_RULES }),
  ...HOURS.flatMap((scene) => rowsOf('hours', scene)),
  ...CALENDARS.flatMap((scene) => rowsOf('calendars', scene)),
];

function groupsOf(scenes: Record<string, Scene>) {
  return Object.entries(scenes).flatMap(([name, scene]) => rowsOf(name.toLowerCase(), scene));
}

function rowsOf(group: string, scene: Scene) {
  return scene.rows.map(([text, said]) => ({ group, scene, text, said }));
}

const HALF_HOUR = 1_800_000;
const instant = (local: string, zone: string) => fromZonedTime(local, zone).getTime();

export function askerOf({ zone, now, old }: Scene): Asker {
  const oldStart = instant(old, zone);
  return { timeZone: zone, now: instant(now, zone), oldStart, oldEnd: oldStart + HALF_HOUR };
}

/** The note as a wish; `closeness` only where the row tells it. */
export function expectedOf({ zone, old }: Scene, said: Said): Wish {
  const { earliest, latest, dates, datesUnwanted, wanted, unwanted, from, to, not, relative, sooner, moreTime, near } =
    said;
  const wish = {
    earliest: earliest && instant(`${earliest} 00:00`, zone),
    latest: latest && instant(latest === 'old' ? old : `${latest} 00:00`, zone),
    dates: dates?.flatMap(listed),
    datesUnwanted: datesUnwanted?.flatMap(listed),
    weekdaysWanted: wanted,
    weekdaysUnwanted: unwanted,
    clockFrom: from && minutes(from),
    clockTo: to && minutes(to),
    clockUnwanted: not && { from: minutes(not[0]), to: minutes(not[1]) },
    relative,
    sooner,
    notBeforeOldStart: moreTime,
    closeness: near === 'soonest' || near === undefined ? near : { near: instant(near, zone) },
  };
  return Object.fromEntries(Object.entries(wish).filter(([, part]) => part !== undefined));
}

const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

function listed(dates: string): string[] {
  const [first = '', last = first] = dates.split('..');
  const all: string[] = [];
  for (let at = Date.parse(first); at <= Date.parse(last); at += 86_400_000)
    all.push(new Date(at).toISOString().slice(0, 10));
  return all;
}
