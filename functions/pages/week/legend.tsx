import type { Child } from 'hono/jsx';
import type { BandKind } from '../../../lib/engine/explain/week-bands.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { Filled, Sign } from './fill.tsx';
import type { WeekLane, WeekMark } from './lanes.ts';
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
        <Entry height="16" means={BAND_NAMES[kind] + wordsOf(lanes, kind)}>
          {OVER_WORK.includes(kind) ? <Filled kind="work" width="28" height="16" /> : null}
          <Filled kind={kind} width="28" height="16" />
        </Entry>
      ))}
      {has('pick') ? <Signed kind="pick" sign="1" means="Offered times, best first" /> : null}
      {has('asked') ? (
        <Entry means="The time you asked about">
          <rect class="span asked" x="8" y="2" width="12" height="16" rx="3" />
        </Entry>
      ) : null}
      {has('offered') ? (
        <Entry means="The offered time">
          <rect class="span offered" x="11" y="2" width="6" height="16" rx="3" />
        </Entry>
      ) : null}
      {has('against') ? <Signed kind="against" sign="A" means="What rules it out" /> : null}
    </ul>
  );
}

const Entry = ({ height = '20', means, children }: { height?: string; means: string; children: Child }) => (
  <li>
    <svg width="28" height={height} aria-hidden="true">
      {children}
    </svg>
    {means}
  </li>
);

const Signed = ({ means, ...sign }: { kind: 'pick' | 'against'; sign: string; means: string }) => (
  <Entry means={means}>
    <g class="sign" transform="translate(14 10)">
      <Sign {...sign} />
    </g>
  </Entry>
);
