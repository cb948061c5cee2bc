import type { BandKind } from '../../../lib/engine/explain/week-bands.ts';

interface FilledProps {
  kind: BandKind;
  x?: string;
  y?: number;
  width: string;
  height: number | string;
}

/** Draws a rectangle with the color or pattern of a kind of band, such as busy time. */
export const Filled = ({ kind, ...place }: FilledProps) => (
  <>
    <rect class={`band ${kind}`} {...place} rx="2" />
    {kind in PATTERNS ? <rect fill={`url(#on-${kind})`} {...place} rx="2" /> : null}
  </>
);

/** Bars, lines or dots on a square tile, turned by some degrees. */
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
