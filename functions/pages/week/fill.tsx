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
    {PATTERNED.includes(kind) ? <rect fill={`url(#on-${kind})`} {...place} rx="2" /> : null}
  </>
);

/** People who cannot tell the colors apart can tell these apart. */
const PATTERNED: readonly BandKind[] = [
  'holiday',
  'focus',
  'never',
  'rather_not',
  'prefer',
  'buffer',
  'full',
  'hold',
  'not_searched',
  'over',
];

/** The SVG has no size but is not hidden, because browsers ignore patterns of a hidden SVG. */
export function Patterns() {
  return (
    <svg class="patterns" width="0" height="0" aria-hidden="true">
      <defs>
        <pattern id="on-focus" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="on-focus" width="2.5" height="7" />
        </pattern>
        <pattern id="on-holiday" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(90)">
          <rect class="on-holiday" width="3" height="8" />
        </pattern>
        <pattern id="on-never" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
          <rect class="on-rule" width="3" height="7" />
        </pattern>
        <pattern id="on-rather_not" width="9" height="9" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
          <rect class="on-rule" width="1.2" height="9" />
        </pattern>
        <pattern id="on-prefer" width="8" height="8" patternUnits="userSpaceOnUse">
          <path class="on-prefer" d="M4 1v6M1 4h6" />
        </pattern>
        <pattern id="on-full" width="8" height="8" patternUnits="userSpaceOnUse">
          <path class="on-full" d="M0 0l8 8M8 0l-8 8" />
        </pattern>
        <pattern id="on-buffer" width="4" height="4" patternUnits="userSpaceOnUse">
          <rect class="on-buffer" width="1.5" height="4" />
        </pattern>
        <pattern id="on-hold" width="6" height="6" patternUnits="userSpaceOnUse">
          <circle class="on-hold" cx="3" cy="3" r="1.3" />
        </pattern>
        <pattern id="on-not_searched" width="6" height="6" patternUnits="userSpaceOnUse">
          <circle class="on-not_searched" cx="3" cy="3" r="1" />
        </pattern>
        <pattern id="on-over" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">
          <rect class="on-over" width="1" height="6" />
        </pattern>
      </defs>
    </svg>
  );
}
