import { Filled } from './fill.tsx';
import type { WeekLane, WeekMark } from './lanes.ts';
import { Sign } from './signs.tsx';
import { BAND_KINDS, BAND_NAMES } from './words.ts';

/** What everything that is drawn in this week stands for. */
export function Legend({ lanes, marks }: { lanes: readonly WeekLane[]; marks: readonly WeekMark[] }) {
  const kinds = BAND_KINDS.filter((kind) => lanes.some(({ bands }) => bands.flat().some((band) => band.kind === kind)));
  const has = (wanted: WeekMark['kind']) => marks.some(({ kind }) => kind === wanted);
  return (
    <ul class="legend">
      {kinds.map((kind) => (
        <li>
          <svg width="28" height="16" aria-hidden="true">
            {kind === 'focus' || kind === 'full' ? <Filled kind="work" width="28" height="16" /> : null}
            <Filled kind={kind} width="28" height="16" />
          </svg>
          {BAND_NAMES[kind]}
        </li>
      ))}
      {has('pick') ? <Signed kind="pick" sign="1" means="What a search offers, best first" /> : null}
      {has('asked') ? (
        <li>
          <svg width="28" height="20" aria-hidden="true">
            <rect class="span asked" x="8" y="2" width="12" height="16" rx="3" />
          </svg>
          The time in question
        </li>
      ) : null}
      {has('against') ? <Signed kind="against" sign="A" means="What stands against it" /> : null}
    </ul>
  );
}

function Signed({ kind, sign, means }: { kind: 'pick' | 'against'; sign: string; means: string }) {
  return (
    <li>
      <svg width="28" height="20" aria-hidden="true">
        <g class="sign" transform="translate(14 10)">
          <Sign kind={kind} sign={sign} />
        </g>
      </svg>
      {means}
    </li>
  );
}
