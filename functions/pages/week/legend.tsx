import type { BandKind } from '../../../lib/engine/explain/week-bands.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { Filled } from './fill.tsx';
import type { WeekLane, WeekMark } from './lanes.ts';
import { Sign } from './signs.tsx';
import { BAND_KINDS, BAND_NAMES } from './words.ts';

/** Kinds of bands that are drawn over work hours. */
const OVER_WORK: readonly BandKind[] = ['focus', 'full', 'holiday', 'never', 'rather_not', 'prefer'];
const OWN_RULES: readonly BandKind[] = ['never', 'rather_not', 'prefer'];

/** Quotes the words of the people's own rules of this kind: " (Ada: “no meetings before 10”)". */
function wordsOf(lanes: readonly WeekLane[], kind: BandKind): string {
  if (!OWN_RULES.includes(kind)) return '';
  const quotes = lanes.flatMap(({ name, bands }) =>
    [...new Set(bands.flat().flatMap((band) => (band.kind === kind ? (band.name ?? []) : [])))].map(
      (words) => `${name}: ${quotedWords(words)}`,
    ),
  );
  return ` (${quotes.join(', ')})`;
}

/** Explains each kind of band and mark that is drawn in this week, and nothing else. */
export function Legend({ lanes, marks }: { lanes: readonly WeekLane[]; marks: readonly WeekMark[] }) {
  const kinds = BAND_KINDS.filter((kind) => lanes.some(({ bands }) => bands.flat().some((band) => band.kind === kind)));
  const has = (wanted: WeekMark['kind']) => marks.some(({ kind }) => kind === wanted);
  return (
    <ul class="legend">
      {kinds.map((kind) => (
        <li>
          <svg width="28" height="16" aria-hidden="true">
            {OVER_WORK.includes(kind) ? <Filled kind="work" width="28" height="16" /> : null}
            <Filled kind={kind} width="28" height="16" />
          </svg>
          {BAND_NAMES[kind]}
          {wordsOf(lanes, kind)}
        </li>
      ))}
      {has('pick') ? <Signed kind="pick" sign="1" means="Offered times, best first" /> : null}
      {has('asked') ? (
        <li>
          <svg width="28" height="20" aria-hidden="true">
            <rect class="span asked" x="8" y="2" width="12" height="16" rx="3" />
          </svg>
          The time you asked about
        </li>
      ) : null}
      {has('against') ? <Signed kind="against" sign="A" means="What rules it out" /> : null}
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
