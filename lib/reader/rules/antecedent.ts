import { DAY_MINUTES } from '../../engine/time/dates.ts';
import type { Box } from '../../engine/wish/reading.ts';
import { addWanted } from './add-wanted.ts';
import type { Clause } from './clauses.ts';
import { type Progress, quoteOf } from './progress.ts';
import type { Item } from './scan.ts';
import { forgetTold } from './told.ts';
import { sideBefore } from './verdicts.ts';

const THEN =
  /^(?:(?:straight|right|just|immediately|directly|any ?(?:time|day)|whenever) )?(?:(?:after|before|past|once) (?:that|then|this|he|she|it|they)\b.*|(?:after|before)wards?|after|before)$/;

/** Reads "before then", "after that" and "before he arrives", which point to the last time that was named. */
export function readAntecedent({ items, joint }: Clause, progress: Progress): boolean {
  const { antecedent, text, reading } = progress;
  const places = items.filter((item) => THEN.test(item.text));
  const at = items.indexOf(places[0] as Item);
  const [box] = antecedent;
  if (places.length === 0 || box === undefined || antecedent.length > 1) return false;
  const side = sideBefore(
    items
      .slice(0, at)
      .map(({ tag }) => tag)
      .join('')
      .replace(/[fvw~-]/g, '')
      .replace(/^j+/, ''),
  );
  const isBusy = items.slice(at + 1).some(({ tag }) => /[nbudh]/.test(tag));
  if (isBusy || !/none|wanted|only|push|refused/.test(side)) return false;
  const quote = quoteOf(items, text);
  const boxes = places.flatMap((item) => sideOf(box, item, places.length > 1));
  if (boxes.length === 0) return false;
  if (side === 'refused') {
    forgetTold(progress, 'unread');
    reading.refused.push(...boxes.map((one) => ({ ...one, quote })));
    progress.isOutspoken = true;
    return true;
  }
  // "On Friday we knock off at 3, any time after" asks for the time after it.
  if (progress.last === 'leaves' && /after/.test(places[0]?.text ?? '')) forgetTold(progress, 'refused');
  addWanted(
    boxes.map((one) => ({ ...one, strength: 'rather', quote })),
    progress,
    joint,
  );
  return true;
}

/** Returns the days and hours on one side of a time. `isSameDay` keeps them on the day of that time. */
function sideOf({ dates, clock }: Box, { text }: Item, isSameDay: boolean): Box[] {
  const isAfter = !text.includes('before');
  const day = dates?.[0];
  const first = day?.first;
  const last = day?.last;
  const boxes: Box[] = [];
  const from = clock && (isPointed(clock) || clock.to === DAY_MINUTES ? clock.from : clock.to);
  const hours = clock && (isAfter ? { from: from ?? 0, to: DAY_MINUTES } : { from: 0, to: clock.from || clock.to });
  if (hours && hours.from < hours.to) boxes.push({ ...(day && { dates: [day] }), clock: hours });
  if (isSameDay && boxes.length > 0) return boxes;
  if (isAfter && last !== undefined) boxes.push({ dates: [{ first: last + 1 }] });
  if (!isAfter && first !== undefined) boxes.unshift({ dates: [{ last: first - 1 }] });
  return boxes;
}

const isPointed = ({ from, to }: { from: number; to: number }) => to - from <= 60;
