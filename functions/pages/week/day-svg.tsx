import { type Band, type BandKind, type LocalDay, ticksOf } from '../../../lib/engine/explain/week-bands.ts';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { Filled, percent, SIGN, Signs } from './legend.tsx';
import { BAND_NAMES, sayBand, sayHour, sayLane, shortWeekday, type WeekLane, type WeekMark } from './words.ts';

const RULER = 18;
const LANE = 22;
const GAP = 4;
/** Height below the lane of the offered times for their numbers, which would hide those times on a phone. */
const NUMBERS = 20;
/** Width that a date label needs on a phone, in minutes of the drawn day. */
const ROOM_OF_A_DATE = 140;

export interface DaySvgProps {
  day: LocalDay;
  index: number;
  id?: string | number;
  name: string;
  lanes: readonly WeekLane[];
  bands: readonly (readonly Band[])[];
  marks: readonly WeekMark[];
  /** The day with the most hours fills the width, so a day on which the clocks change looks as long as it is. */
  longest: number;
  changes: readonly { at: number; lane: number }[];
}

/** Fills the width of the page, while its text keeps its size. */
export function DaySvg({ day, index, id = index, lanes, bands, marks, longest, name, changes }: DaySvgProps) {
  const length = (day.end - day.start) / MINUTE;
  const top = lanes.some(({ ruler }) => ruler === 'above') ? RULER : 0;
  const bottom = lanes.some(({ ruler }) => ruler === 'below') ? RULER : 0;
  const numbered = lanes.findIndex((_, i) => isNumbered(marks, i));
  const yOf = (lane: number) => top + lane * (LANE + GAP) + (numbered >= 0 && lane > numbered ? NUMBERS : 0);
  const x = (minutes: number) => percent(minutes / longest);
  return (
    <svg
      width="100%"
      height={yOf(lanes.length) - GAP + bottom}
      role="img"
      aria-labelledby={`week-day-${id}`}
      aria-describedby={`week-said-${id}`}
    >
      <title id={`week-day-${id}`}>{name}</title>
      <desc id={`week-said-${id}`}>{lanes.map((lane) => `${lane.name}: ${sayLane(lane, index, day)}`).join(' ')}</desc>
      {lanes.map((lane, i) => (
        <>
          <rect class="ground" x="0" y={yOf(i)} width={x(length)} height={LANE} rx="3" />
          {inOrderOfDrawing(bands[i] ?? []).map((band) => (
            <BandRect
              band={band}
              x={x}
              y={yOf(i)}
              title={`${BAND_NAMES[band.kind]} ${sayBand(band, day, lane.timeZone)}`}
            />
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
}

export const isNumbered = (marks: readonly WeekMark[], place: number) =>
  marks.some(({ kind, lane }) => kind === 'pick' && lane === place);

/** Sorts bands so that work hours are drawn first, the person's own rules over them, and busy times over both. */
const inOrderOfDrawing = (bands: readonly Band[]) => [...bands].sort((a, b) => LAYERS[a.kind] - LAYERS[b.kind]);

const LAYERS: Record<BandKind, number> = {
  work: 0,
  day: 0,
  holiday: 1,
  prefer: 2,
  rather_not: 3,
  never: 4,
  focus: 5,
  full: 6,
  buffer: 7,
  busy: 8,
  held: 9,
  hold: 10,
  not_searched: 11,
  free: 12,
  too_short: 13,
  over: 14,
};

/** Drawn smaller, so that the border of the band below them stays visible. */
const INSET: readonly BandKind[] = ['buffer', 'busy', 'held', 'hold'];

type Scaled = { x: (minutes: number) => string; y: number };

function BandRect({ band: { kind, from, to }, x, y, title }: Scaled & { band: Band; title: string }) {
  const inset = INSET.includes(kind) ? 3 : 0;
  return (
    <g>
      <title>{title}</title>
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
