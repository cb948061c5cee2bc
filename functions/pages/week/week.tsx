import type { Band, LocalDay } from '../../../lib/engine/explain/week-bands.ts';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { namesOf, type Party, placeOf } from '../../../lib/words/people.ts';
import { Day, hasPassed, nameOf, PassedDays } from './day.tsx';
import { Patterns } from './fill.tsx';
import type { WeekLane, WeekMark } from './lanes.ts';
import { Legend } from './legend.tsx';
import { sayLane } from './words.ts';

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

/** Draws the requester's clock above, and the other person's below. */
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

/** Shows the drawn times in words. On a phone, the table of two people has a card for each day. */
function WeekTable({ days, lanes, isTypical }: Required<Omit<WeekProps, 'marks'>>) {
  return (
    <table class={isTypical ? undefined : 'deck'}>
      {isTypical ? null : <caption>{sayClocks(lanes)}</caption>}
      <thead>
        <tr>
          <th scope="col">Day</th>
          {lanes.map(({ name }) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day, i) => (
          <tr>
            <th scope="row">{nameOf(day, isTypical)}</th>
            {lanes.map((lane) => (
              <td data-label={isTypical ? undefined : lane.name}>{sayLane(lane, i, day)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

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
