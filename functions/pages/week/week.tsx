import type { LocalDay } from '../../../lib/scheduling/week-bands.ts';
import { Day, nameOf } from './day.tsx';
import { Patterns } from './fill.tsx';
import type { WeekLane, WeekMark } from './lanes.ts';
import { Legend } from './legend.tsx';
import { placeOf, sayLane } from './words.ts';

interface WeekProps {
  days: readonly LocalDay[];
  lanes: readonly WeekLane[];
  marks?: readonly WeekMark[];
  /** Without dates a day is told by its weekday alone. */
  isTypical?: boolean;
}

/** A week as a drawing of each day, one under the other, with the clocks of the lanes, and the same in a table. */
export function Week({ days, lanes, marks = [], isTypical = false }: WeekProps) {
  const longest = Math.max(...days.map(({ start, end }) => (end - start) / 60_000));
  return (
    <figure class="week">
      <Patterns />
      <Legend lanes={lanes} marks={marks} />
      <ol class="days">
        {days.map((day, i) => (
          <Day
            day={day}
            index={i}
            lanes={lanes}
            marks={marks.filter((mark) => mark.day === i)}
            longest={longest}
            isTypical={isTypical}
          />
        ))}
      </ol>
      <details>
        <summary>The same week in words</summary>
        <WeekTable days={days} lanes={lanes} isTypical={isTypical} />
      </details>
    </figure>
  );
}

function WeekTable({ days, lanes, isTypical }: Required<Omit<WeekProps, 'marks'>>) {
  const head = (lane: WeekLane) => (isTypical ? lane.name : `${lane.name} (${placeOf(lane.timeZone)})`);
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Day</th>
          {lanes.map((lane) => (
            <th scope="col">{head(lane)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {days.map((day, i) => (
          <tr>
            <th scope="row">{nameOf(day, isTypical)}</th>
            {lanes.map((lane) => (
              <td data-label={head(lane)}>{sayLane(lane, i, day)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
