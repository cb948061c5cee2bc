import { type Band, clockChanges, type LocalDay } from '../../../lib/engine/explain/week-bands.ts';
import { MINUTE, sayDate } from '../../../lib/engine/time/dates.ts';
import { namesOf, type Party, placeOf } from '../../../lib/words/people.ts';
import { Table } from '../components.tsx';
import { DaySvg, type DaySvgProps, isNumbered } from './day-svg.tsx';
import { Legend, Patterns } from './legend.tsx';
import { namesIn, sayClockChange, sayLane, shortWeekday, type WeekLane, type WeekMark } from './words.ts';

interface WeekProps {
  days: readonly LocalDay[];
  lanes: readonly WeekLane[];
  marks?: readonly WeekMark[];
  /** True for a typical week, whose days have a weekday and no date. */
  isTypical?: boolean;
}

/** Days at the start that have passed share one row. A table shows the drawn times in words. */
export function Week({ days, lanes, marks = [], isTypical = false }: WeekProps) {
  const longest = Math.max(...days.map(({ start, end }) => (end - start) / MINUTE));
  const isOver = (day: LocalDay, i: number) =>
    hasPassed(
      lanes.map(({ bands }) => bands[i] ?? []),
      (day.end - day.start) / MINUTE,
    ) && marks.every((mark) => mark.day !== i);
  const first = days.findIndex((day, i) => !isOver(day, i));
  const passed = first === -1 ? days.length : first;
  return (
    <figure class="week">
      <Patterns />
      <Legend lanes={lanes} marks={marks} />
      <ol class="days">
        {passed > 1 ? <PassedDays days={days.slice(0, passed)} /> : null}
        {days.map((day, i) =>
          passed > 1 && i < passed ? null : (
            <Day
              day={day}
              index={i}
              lanes={lanes}
              marks={marks.filter((mark) => mark.day === i)}
              longest={longest}
              isTypical={isTypical}
            />
          ),
        )}
      </ol>
      <details>
        <summary>The same in words</summary>
        <WeekTable days={days} lanes={lanes} isTypical={isTypical} />
      </details>
    </figure>
  );
}

interface PairProps extends Pick<WeekProps, 'days' | 'marks'> {
  people: readonly [Party, Party];
  bands: Record<'requester' | 'common' | 'other', readonly (readonly Band[])[]>;
}

/** The lane of the times at which both people are free. Those of the two people lie above and below. */
export const COMMON = 1;

export function PairWeek({ people: [requester, other], bands, ...drawn }: PairProps) {
  const names = namesOf([requester, other]);
  const laneOf = ({ email, timeZone }: Party) => ({ name: names.short(email), timeZone });
  const lanes: WeekLane[] = [
    { ...laneOf(requester), bands: bands.requester, ruler: 'above' },
    { name: 'Both', timeZone: requester.timeZone, bands: bands.common },
    { ...laneOf(other), bands: bands.other, ruler: 'below' },
  ];
  return <Week {...drawn} lanes={lanes} />;
}

const WeekTable = ({ days, lanes, isTypical }: Required<Omit<WeekProps, 'marks'>>) => (
  <Table
    caption={isTypical ? undefined : sayClocks(lanes)}
    isSlim={isTypical}
    head={[{ name: 'Day', is: 'row' }, ...lanes.map(({ name }) => name)]}
    rows={days.map((day, i) => [nameOf(day, isTypical), ...lanes.map((lane) => sayLane(lane, i, day))])}
  />
);

/** Says on whose clock the times of each lane are: "Ada and Both: clock in New York. Bob: clock in Berlin." */
function sayClocks(lanes: readonly WeekLane[]): string {
  const places = [...new Set(lanes.map(({ timeZone }) => placeOf(timeZone)))];
  return places
    .map((place) => {
      const names = lanes.filter(({ timeZone }) => placeOf(timeZone) === place).map(({ name }) => name);
      return `${names.join(', ').replace(/, (?=[^,]*$)/, ' and ')}: clock in ${place}.`;
    })
    .join(' ');
}

interface DayProps {
  day: LocalDay;
  index: number;
  lanes: readonly WeekLane[];
  marks: readonly WeekMark[];
  longest: number;
  isTypical: boolean;
}

const hasPassed = (bands: readonly (readonly Band[])[], length: number): boolean =>
  length > 0 &&
  bands.flat().length > 0 &&
  bands.flat().every(({ kind, from, to }) => kind === 'over' && to - from === length);

/** Renders one row for the days at the start of a week that have passed: "Mon to Thu, 23 to 26 November". */
function PassedDays({ days: [first, ...later] }: { days: readonly LocalDay[] }) {
  const last = later.at(-1);
  if (first === undefined || last === undefined) return null;
  const [start = '', end = ''] = [first, last].map(({ date }) => sayDate(date).split(', ')[1]);
  const month = (date: string) => date.slice(date.indexOf(' '));
  return (
    <li>
      <h3>
        {shortWeekday(first.date)} to {shortWeekday(last.date)}
        <span>{` ${start.replace(month(end), '')} to ${end}`}</span>
      </h3>
      <p class="hint drawing-place">These days have passed.</p>
    </li>
  );
}

/** A day with nothing to draw gets a few words instead. */
function Day({ day, index, lanes, marks, longest, isTypical }: DayProps) {
  const length = (day.end - day.start) / MINUTE;
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
      {holidaysOf(lanes, index).map((text) => (
        <p class="hint">{text}</p>
      ))}
      {isQuiet ? (
        <p class="hint drawing-place">{words}</p>
      ) : (
        <Drawing {...{ day, index, lanes, bands, marks, longest, changes, name: nameOf(day, isTypical), isTypical }} />
      )}
    </li>
  );
}

/** Consists of elements that may stand in the summary of details. A typical week has one lane, which needs no name. */
export const Drawing = ({ isTypical = false, ...drawn }: DaySvgProps & { isTypical?: boolean }) => (
  <span class="drawing drawing-place">
    {isTypical ? null : <LaneNames {...drawn} />}
    <DaySvg {...drawn} />
  </span>
);

const holidaysOf = (lanes: readonly WeekLane[], index: number): string[] =>
  lanes.flatMap(({ name, bands }) => namesIn(bands[index] ?? [], 'holiday').map((holiday) => `${holiday} for ${name}`));

/** Undefined if there is something to draw. */
function quietWords(bands: readonly (readonly Band[])[], length: number, timeZone: string): string | undefined {
  const all = bands.flat();
  if (length === 0) return `This date does not exist in ${placeOf(timeZone)}.`;
  if (all.every(({ kind }) => kind === 'not_searched')) return 'No work hours.';
  return hasPassed(bands, length) ? 'This day has passed.' : undefined;
}

/** Has each person's and both's, with the zone's city. Screen readers skip them: the description has them. */
const LaneNames = ({ lanes, marks }: Pick<DayProps, 'lanes' | 'marks'>) => (
  <span class="names" aria-hidden="true">
    {lanes.map(({ name, ruler, timeZone }, i) => (
      <>
        {ruler === 'above' ? <span class="place">{placeOf(timeZone)}</span> : null}
        <span class={isNumbered(marks, i) ? 'numbered' : undefined}>{name}</span>
        {ruler === 'below' ? <span class="place">{placeOf(timeZone)}</span> : null}
      </>
    ))}
  </span>
);

const nameOf = ({ date }: LocalDay, isTypical: boolean): string => {
  const name = sayDate(date);
  return isTypical ? name.slice(0, name.indexOf(',')) : name;
};
