import type { Band, BandKind, LocalDay } from '../../../lib/engine/explain/week-bands.ts';
import { clockChanges, ticksOf } from '../../../lib/engine/explain/week-bands.ts';
import { MINUTE, sayDate } from '../../../lib/engine/time/dates.ts';
import { cityOf, namesOf, type Party } from '../../../lib/words/people.ts';
import { Table } from '../components.tsx';
import { Filled, Legend, Patterns, percent, SIGN, Signs } from './legend.tsx';
import type { WeekLane, WeekMark } from './words.ts';
import { KINDS, namesIn, sayBand, sayClockChange, sayHour, sayLane, shortWeekday } from './words.ts';

interface WeekProps {
  days: readonly LocalDay[];
  lanes: readonly WeekLane[];
  marks?: readonly WeekMark[];
  /** True for a typical week, whose days have a weekday and no date. */
  isTypical?: boolean;
}

/** Days at the start that have passed share one row. A table shows the drawn times in words. */
export function Week({ days, lanes, marks = [], isTypical = false }: WeekProps) {
  const longest = Math.max(...days.map(minutesOf));
  const isOver = (day: LocalDay, i: number) => hasPassed(lanes, i, day) && marks.every((mark) => mark.day !== i);
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
            <Day {...{ day, lanes, longest, isTypical, index: i, marks: marks.filter((mark) => mark.day === i) }} />
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
  const places = [...new Set(lanes.map(({ timeZone }) => cityOf(timeZone)))];
  return places
    .map((place) => {
      const names = lanes.filter(({ timeZone }) => cityOf(timeZone) === place).map(({ name }) => name);
      return `${names.join(', ').replace(/, (?=[^,]*$)/, ' and ')}: clock in ${place}.`;
    })
    .join(' ');
}

const minutesOf = ({ start, end }: LocalDay) => (end - start) / MINUTE;

const bandsOn = (lanes: readonly WeekLane[], index: number) => lanes.flatMap(({ bands }) => bands[index] ?? []);

function hasPassed(lanes: readonly WeekLane[], index: number, day: LocalDay): boolean {
  const [bands, length] = [bandsOn(lanes, index), minutesOf(day)];
  const isWhole = ({ kind, from, to }: Band) => kind === 'over' && to - from === length;
  return length > 0 && bands.length > 0 && bands.every(isWhole);
}

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

function Day({ day, index, lanes, marks, longest, isTypical }: Required<Omit<Drawn, 'id' | 'name' | 'changes'>>) {
  const [weekday, date] = isTypical ? [nameOf(day, true)] : sayDate(day.date).split(', ');
  const changes = lanes.flatMap(({ ruler, timeZone }, lane) =>
    ruler === undefined ? [] : clockChanges(timeZone, day).map((change) => ({ ...change, lane, timeZone })),
  );
  const words = marks.length === 0 ? quietWords(lanes, index, day) : undefined;
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
      {words === undefined ? (
        <Drawing {...{ day, index, lanes, marks, longest, changes, name: nameOf(day, isTypical), isTypical }} />
      ) : (
        <p class="hint drawing-place">{words}</p>
      )}
    </li>
  );
}

const holidaysOf = (lanes: readonly WeekLane[], index: number): string[] =>
  lanes.flatMap(({ name, bands }) => namesIn(bands[index] ?? [], 'holiday').map((holiday) => `${holiday} for ${name}`));

/** Undefined if there is something to draw. */
function quietWords(lanes: readonly WeekLane[], index: number, day: LocalDay): string | undefined {
  if (minutesOf(day) === 0) return `This date does not exist in ${cityOf(lanes[0]?.timeZone ?? '')}.`;
  if (bandsOn(lanes, index).every(({ kind }) => kind === 'not_searched')) return 'No work hours.';
  return hasPassed(lanes, index, day) ? 'This day has passed.' : undefined;
}

/** Has each person's and both's, with the zone's city. Screen readers skip them: the description has them. */
const LaneNames = ({ lanes, marks }: Pick<Drawn, 'lanes' | 'marks'>) => (
  <span class="names" aria-hidden="true">
    {lanes.map(({ name, ruler, timeZone }, i) => (
      <>
        {ruler === 'above' ? <span class="place">{cityOf(timeZone)}</span> : null}
        <span class={isNumbered(marks, i) ? 'numbered' : undefined}>{name}</span>
        {ruler === 'below' ? <span class="place">{cityOf(timeZone)}</span> : null}
      </>
    ))}
  </span>
);

const nameOf = ({ date }: LocalDay, isTypical: boolean): string => {
  const name = sayDate(date);
  return isTypical ? name.slice(0, name.indexOf(',')) : name;
};

const RULER = 18;
const LANE = 22;
const GAP = 4;
/** Height below the lane of the offered times for their numbers, which would hide those times on a phone. */
const NUMBERS = 20;
/** Width that a date label needs on a phone, in minutes of the drawn day. */
const ROOM_OF_A_DATE = 140;

interface Drawn {
  day: LocalDay;
  index?: number;
  id?: string | number;
  name: string;
  lanes: readonly WeekLane[];
  marks: readonly WeekMark[];
  /** The day with the most hours fills the width, so a day on which the clocks change looks as long as it is. */
  longest?: number;
  changes?: readonly { at: number; lane: number }[];
  isTypical?: boolean;
}

/** Has elements that may stand in a summary. A typical week's one lane needs no name. Text keeps its size. */
export function Drawing({ day, index = 0, id = index, name, lanes, marks, ...drawn }: Drawn) {
  const { longest = minutesOf(day), changes = [], isTypical = false } = drawn;
  const top = lanes.some(({ ruler }) => ruler === 'above') ? RULER : 0;
  const bottom = lanes.some(({ ruler }) => ruler === 'below') ? RULER : 0;
  const numbered = lanes.findIndex((_, i) => isNumbered(marks, i));
  const yOf = (lane: number) => top + lane * (LANE + GAP) + (numbered >= 0 && lane > numbered ? NUMBERS : 0);
  const x = (minutes: number) => percent(minutes / longest);
  const said = lanes.map((lane) => `${lane.name}: ${sayLane(lane, index, day)}`);
  const svg = (
    <svg
      width="100%"
      height={yOf(lanes.length) - GAP + bottom}
      role="img"
      aria-labelledby={`week-day-${id}`}
      aria-describedby={`week-said-${id}`}
    >
      <title id={`week-day-${id}`}>{name}</title>
      <desc id={`week-said-${id}`}>{said.join(' ')}</desc>
      {lanes.map((lane, i) => (
        <>
          <rect class="ground" x="0" y={yOf(i)} width={x(minutesOf(day))} height={LANE} rx="3" />
          {inOrderOfDrawing(lane.bands[index] ?? []).map((band) => (
            <BandRect {...{ band, x, y: yOf(i) }} said={sayBand(band, day, lane.timeZone)} />
          ))}
          {lane.ruler === undefined ? null : <Ruler lane={lane} day={day} x={x} y={yOf(i)} />}
        </>
      ))}
      {changes.map(({ at, lane }) => (
        <line class="change" x1={x(at)} x2={x(at)} y1={yOf(lane) - 3} y2={yOf(lane) + LANE + 3} />
      ))}
      {marks.map((mark) => (
        <Span mark={mark} x={x} y={yOf} lanes={lanes.length} />
      ))}
      {lanes.flatMap((_, i) =>
        (['pick', 'against'] as const).map((kind) => (
          <Signs
            marks={marks.filter((mark) => mark.kind === kind && mark.lane === i && mark.sign !== '')}
            y={yOf(i) + (kind === 'pick' ? LANE + GAP + SIGN : LANE / 2)}
            longest={longest}
          />
        )),
      )}
    </svg>
  );
  return (
    <span class="drawing drawing-place">
      {isTypical ? null : <LaneNames lanes={lanes} marks={marks} />}
      {svg}
    </span>
  );
}

const isNumbered = (marks: readonly WeekMark[], place: number) =>
  marks.some(({ kind, lane }) => kind === 'pick' && lane === place);

/** Sorts bands so that work hours are drawn first, the person's own rules over them, and busy times over both. */
const inOrderOfDrawing = (bands: readonly Band[]) =>
  bands.toSorted((a, b) => KINDS[a.kind].layer - KINDS[b.kind].layer);

/** Drawn smaller, so that the border of the band below them stays visible. */
const INSET: readonly BandKind[] = ['buffer', 'busy', 'held', 'hold'];

type Scaled = { x: (minutes: number) => string; y: number };

function BandRect({ band: { kind, from, to }, x, y, said }: Scaled & { band: Band; said: string }) {
  const inset = INSET.includes(kind) ? 3 : 0;
  return (
    <g>
      <title>{`${KINDS[kind].name} ${said}`}</title>
      <Filled kind={kind} x={x(from)} y={y + inset} width={x(to - from)} height={LANE - 2 * inset} />
    </g>
  );
}

/** Where the date changes, the weekday replaces the hour. At the left edge of another date it stands before the hour. */
function Ruler({ lane: { timeZone, ruler }, day, x, y }: Scaled & { lane: WeekLane; day: LocalDay }) {
  const ticks = ticksOf(timeZone, day);
  const [first] = ticks;
  // The day at the left edge starts there, with its hour beside it, and so needs more room on its right.
  const roomOf = (other: number) => (other === first?.at && isNewDate(0) ? 2 : 1) * ROOM_OF_A_DATE;
  const changes = ticks.map(({ date }, i) => date !== (ticks[i - 1]?.date ?? day.date));
  const next = ticks.find((_, i) => i > 0 && changes[i]);
  // Two days would lie over each other if the date changes soon after the left edge.
  const isNewDate = (i: number) => changes[i] === true && !(i === 0 && next && next.at < 2 * ROOM_OF_A_DATE);
  const dates = ticks.filter((_, i) => isNewDate(i)).map(({ at }) => at);
  // On a narrow screen, an hour too close to a date is hidden, and so is one close to a first hour divisible by three.
  const kept = first === undefined || first.hour % 3 !== 0 ? dates : [...dates, first.at];
  return ticks.map(({ at, hour, date }, i) => {
    const isCrowded = kept.some((other) => other !== at && Math.abs(other - at) < roomOf(other));
    const fine = hour % 3 !== 0 || isCrowded ? ' fine' : '';
    const grade = isNewDate(i) ? ' date' : fine;
    const named = hour === 0 ? shortWeekday(date) : `${shortWeekday(date)} ${sayHour(hour)}`;
    return (
      <text class={`hour${grade}${i === 0 ? ' first' : ''}`} x={x(at)} y={ruler === 'above' ? y - 8 : y + LANE + 15}>
        {isNewDate(i) ? named : sayHour(hour)}
      </text>
    );
  });
}

type SpanProps = { mark: WeekMark; x: (minutes: number) => string; y: (lane: number) => number; lanes: number };

function Span({ mark: { kind, from, to, lane = 0, title }, x, y, lanes }: SpanProps) {
  if (kind === 'against') return null;
  const place = kind !== 'pick' ? { y: y(0) - 3, height: y(lanes) - GAP - y(0) + 6 } : { y: y(lane), height: LANE };
  return (
    <g>
      <title>{title}</title>
      <rect class={`span ${kind}`} x={x(from)} width={x(to - from)} {...place} rx="3" />
    </g>
  );
}
