import type { Child } from 'hono/jsx';
import type { BandKind } from '../../../lib/engine/explain/week-bands.ts';
import { quotedWords } from '../../../lib/words/people.ts';
import { BAND_KINDS, KINDS, namesIn, type WeekLane, type WeekMark } from './words.ts';

type FilledProps = { kind: BandKind; x?: string; y?: number; width: string; height: number | string };

export const Filled = ({ kind, ...place }: FilledProps) => (
  <>
    <rect class={`band ${kind}`} {...place} rx="2" />
    {kind in PATTERNS ? <rect fill={`url(#on-${kind})`} {...place} rx="2" /> : null}
  </>
);

type Pattern = { size: number; turn?: number } & ({ bar: number } | { line: string } | { dot: number });

/** People who cannot tell the colors apart can tell these apart. */
const PATTERNS: Partial<Record<BandKind, Pattern>> = {
  focus: { size: 7, turn: 45, bar: 2.5 },
  holiday: { size: 8, turn: 90, bar: 3 },
  never: { size: 7, turn: -45, bar: 3 },
  rather_not: { size: 9, turn: -45, bar: 1.2 },
  prefer: { size: 8, line: 'M4 1v6M1 4h6' },
  full: { size: 8, line: 'M0 0l8 8M8 0l-8 8' },
  buffer: { size: 4, bar: 1.5 },
  hold: { size: 6, dot: 1.3 },
  held: { size: 6, turn: 45, bar: 2 },
  not_searched: { size: 6, dot: 1 },
  over: { size: 6, turn: -45, bar: 1 },
};

/** The SVG has no size but is not hidden, because browsers ignore patterns of a hidden SVG. */
export const Patterns = () => (
  <svg class="patterns" width="0" height="0" aria-hidden="true">
    <defs>
      {Object.entries(PATTERNS).map(([kind, { size, turn = 0, ...shape }]) => (
        <pattern
          id={`on-${kind}`}
          width={size}
          height={size}
          patternUnits="userSpaceOnUse"
          patternTransform={`rotate(${turn})`}
        >
          {'bar' in shape ? <rect class={`on-${kind}`} width={shape.bar} height={size} /> : null}
          {'line' in shape ? <path class={`on-${kind}`} d={shape.line} /> : null}
          {'dot' in shape ? <circle class={`on-${kind}`} cx={size / 2} cy={size / 2} r={shape.dot} /> : null}
        </pattern>
      ))}
    </defs>
  </svg>
);

export const SIGN = 9;
/** Widths in pixels of a drawn day on a small phone and on a desktop, on which signs must not overlap. */
const [NARROW, WIDE] = [260, 800];

/** Signs that would overlap are spread out. On a desktop they keep their places if they fit. */
export function Signs({ marks, y, longest }: { marks: readonly WeekMark[]; y: number; longest: number }) {
  const ordered = [...marks].sort((a, b) => a.from - b.from);
  const shares = ordered.map(({ from, to }) => (from + to) / 2 / longest);
  const needsNoRoom = areApart(shares, WIDE);
  const places = spreadOut(shares.map((share) => share * NARROW));
  return ordered.map(({ kind, sign, title }, i) => (
    <svg class="sign" x={percent(shares[i] ?? 0)} y={y}>
      <title>{title}</title>
      {kind === 'pick' ? <path class="leader" d={`M0 ${-SIGN - 4}L${shiftOf(places[i], shares[i])} 0`} /> : null}
      <g class={needsNoRoom ? 'loose' : undefined} transform={`translate(${shiftOf(places[i], shares[i])} 0)`}>
        <Sign kind={kind} sign={sign} />
      </g>
    </svg>
  ));
}

const shiftOf = (place = 0, share = 0) => Math.round((place - share * NARROW) * 10) / 10;

const areApart = (shares: readonly number[], width: number) =>
  shares.every((share, i) => i === 0 || (share - (shares[i - 1] ?? 0)) * width >= 2 * SIGN - 2);

/** Moves sorted places as little as possible, so that no two overlap and all stay within a phone's drawing. */
function spreadOut(places: readonly number[]): number[] {
  const apart = 2 * SIGN + 1;
  const last = places.length - 1;
  const spread = [...places];
  for (let pass = 0; pass < 50; pass++)
    for (let i = 0; i < last; i++) {
      const [a = 0, b = 0] = [spread[i], spread[i + 1]];
      const lacking = Math.max(0, apart - (b - a)) / 2;
      spread[i] = a - lacking;
      spread[i + 1] = b + lacking;
    }
  const over = Math.max(0, (spread[last] ?? 0) - (NARROW - SIGN));
  const under = Math.max(0, SIGN - (spread[0] ?? NARROW));
  return spread.map((place) => place - over + under);
}

const Sign = ({ kind, sign }: Pick<WeekMark, 'kind' | 'sign'>) => (
  <>
    {kind === 'pick' ? (
      <circle class="pick" r={SIGN} />
    ) : (
      <rect class="against" x={-SIGN} y={-SIGN} width={2 * SIGN} height={2 * SIGN} rx="3" />
    )}
    <text class={`${kind}-text`} y="4">
      {sign}
    </text>
  </>
);

export const percent = (share: number) => `${Math.round(share * 100_000) / 1_000}%`;

const OVER_WORK: readonly BandKind[] = ['focus', 'full', 'holiday', 'never', 'rather_not', 'prefer'];
const OWN_RULES: readonly BandKind[] = ['never', 'rather_not', 'prefer'];

/** Quotes the words of the people's own rules of this kind: " (Ada: “no meetings before 10”)". */
function wordsOf(lanes: readonly WeekLane[], kind: BandKind): string {
  if (!OWN_RULES.includes(kind)) return '';
  const quotes = lanes.flatMap(({ name, bands }) =>
    namesIn(bands.flat(), kind).map((words) => `${name}: ${quotedWords(words)}`),
  );
  return ` (${quotes.join(', ')})`;
}

export function Legend({ lanes, marks }: { lanes: readonly WeekLane[]; marks: readonly WeekMark[] }) {
  const kinds = BAND_KINDS.filter((kind) => lanes.some(({ bands }) => bands.flat().some((band) => band.kind === kind)));
  const has = (wanted: WeekMark['kind']) => marks.some(({ kind }) => kind === wanted);
  return (
    <ul class="legend">
      {kinds.map((kind) => (
        <Entry height="16" means={KINDS[kind].name + wordsOf(lanes, kind)}>
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
