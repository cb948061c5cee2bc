import { sayDate } from '../../../lib/scheduling/dates.ts';
import { type Band, clockChanges, type LocalDay } from '../../../lib/scheduling/week-bands.ts';
import { DaySvg } from './day-svg.tsx';
import type { WeekLane, WeekMark } from './lanes.ts';
import { placeOf, sayClockChange } from './words.ts';

interface DayProps {
  day: LocalDay;
  /** The day's position in the week. */
  index: number;
  lanes: readonly WeekLane[];
  marks: readonly WeekMark[];
  /** Minutes of the week's longest day. */
  longest: number;
  /** Told by its weekday alone. */
  isTypical: boolean;
}

/** One day: its name, what its clocks do, and its drawing; in a word where there is nothing to draw. */
export function Day({ day, index, lanes, marks, longest, isTypical }: DayProps) {
  const length = (day.end - day.start) / 60_000;
  const bands = lanes.map((lane) => lane.bands[index] ?? []);
  const [weekday, date] = isTypical ? [nameOf(day, true)] : sayDate(day.date).split(', ');
  const changes = lanes.flatMap((lane, i) =>
    lane.ruler === undefined
      ? []
      : clockChanges(lane.timeZone, day).map((change) => ({ ...change, lane: i, timeZone: lane.timeZone })),
  );
  const words = quietWords(bands, length, lanes[0]?.timeZone ?? '');
  const isQuiet = words !== undefined && marks.length === 0;
  return (
    <li>
      <h3>
        {weekday}
        {date === undefined ? null : <span> {date}</span>}
      </h3>
      {changes.map((change) => (
        <p class="hint">{sayClockChange(change, day, change.timeZone)}</p>
      ))}
      {isQuiet ? (
        <p class="hint drawing-place">{words}</p>
      ) : (
        <div class="drawing drawing-place">
          {isTypical ? null : <LaneNames lanes={lanes} />}
          <DaySvg {...{ day, index, lanes, bands, marks, longest, changes, name: nameOf(day, isTypical) }} />
        </div>
      )}
    </li>
  );
}

/** What there is to say of a day on which nothing is to be drawn. */
function quietWords(bands: readonly (readonly Band[])[], length: number, timeZone: string): string | undefined {
  const all = bands.flat();
  if (length === 0) return `The calendar of ${placeOf(timeZone)} leaves this date out.`;
  if (all.every(({ kind }) => kind === 'not_searched')) return 'No work hours.';
  return all.every(({ kind, from, to }) => kind === 'over' && to - from === length) ? 'This day is past.' : undefined;
}

/** Whose each line is, and where the clocks beside them stand. */
const LaneNames = ({ lanes }: Pick<DayProps, 'lanes'>) => (
  <div class="names" aria-hidden="true">
    {lanes.map(({ name, ruler, timeZone }) => (
      <>
        {ruler === 'above' ? <span class="place">{placeOf(timeZone)}</span> : null}
        <span>{name}</span>
        {ruler === 'below' ? <span class="place">{placeOf(timeZone)}</span> : null}
      </>
    ))}
  </div>
);

/** What a day is called. */
export const nameOf = ({ date }: LocalDay, isTypical: boolean): string => {
  const name = sayDate(date);
  return isTypical ? name.slice(0, name.indexOf(',')) : name;
};
