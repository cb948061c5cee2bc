import type { BandKind } from '../../../lib/scheduling/week-bands.ts';

interface FilledProps {
  kind: BandKind;
  x?: string;
  y?: number;
  width: string;
  height: number | string;
}

/** A rectangle filled as its kind of band is. */
export const Filled = ({ kind, ...place }: FilledProps) => (
  <>
    <rect class={`band ${kind}`} {...place} rx="2" />
    {PATTERNED.includes(kind) ? <rect fill={`url(#on-${kind})`} {...place} rx="2" /> : null}
  </>
);

/** Bands with a pattern on them, so that all are told apart without colour. */
const PATTERNED: readonly BandKind[] = ['focus', 'buffer', 'full', 'hold', 'not_searched', 'over'];

/** The patterns of a page's weeks; in an image without a size, as one that is not displayed lends none. */
export function Patterns() {
  return (
    <svg class="patterns" width="0" height="0" aria-hidden="true">
      <defs>
        <pattern id="on-focus" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <rect class="on-focus" width="2.5" height="7" />
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
