import { Table } from '../components.tsx';
import { figure } from './parts.tsx';

export type Bar = { label: string; short?: string; value: number; more?: number };

interface Chart {
  title: string;
  summary: string;
  bars: readonly Bar[];
  columns: readonly [label: string, value: string] | readonly [label: string, value: string, more: string];
}

const [WIDTH, HEIGHT, BASE, TOP, LEFT, RIGHT] = [360, 150, 122, 12, 52, 336];

const LABELS = 5;

export function BarChart({ title, summary, bars, columns }: Chart) {
  const id = title.toLowerCase().replaceAll(/[^a-z]+/g, '-');
  const [labels, ...series] = columns;
  const [first, second] = series;
  const head = [labels, ...series.map((name) => ({ name, is: 'number' as const }))];
  const rows = bars.map(({ label, value, more = 0 }) => [label, figure(value), figure(more)].slice(0, head.length));
  const isEmpty = bars.every(({ value, more = 0 }) => value + more === 0);
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <p>{summary}</p>
      {second === undefined || isEmpty ? null : (
        <p class="small muted">
          <Swatch of="series-1" /> {first}&emsp;
          <Swatch of="series-3" /> {second}
        </p>
      )}
      {isEmpty ? null : (
        <>
          <Picture id={id} title={title} summary={summary} bars={bars} />
          <details>
            <summary>
              Show as a table<span class="hidden">: {title}</span>
            </summary>
            <Table isSlim head={head} rows={rows} />
          </details>
        </>
      )}
    </section>
  );
}

function Picture({ id, title, summary, bars }: Pick<Chart, 'title' | 'summary' | 'bars'> & { id: string }) {
  const highest = roundUp(Math.max(1, ...bars.map(({ value, more = 0 }) => value + more)));
  const step = (RIGHT - LEFT) / bars.length;
  const tall = (value: number) => (value / highest) * (BASE - TOP);
  const every = Math.max(1, Math.floor(bars.length / LABELS));
  return (
    <svg class="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-labelledby={`${id}-title ${id}-desc`}>
      <title id={`${id}-title`}>{title}</title>
      <desc id={`${id}-desc`}>{summary}</desc>
      {[highest, 0].map((value) => (
        <>
          <line class="axis" x1={LEFT} x2={RIGHT} y1={BASE - tall(value)} y2={BASE - tall(value)} />
          <text text-anchor="end" x={LEFT - 6} y={BASE - tall(value) + 4}>
            {figure(value)}
          </text>
        </>
      ))}
      {bars.map(({ label, short = label, value, more = 0 }, place) => {
        const x = round(LEFT + (place + 0.15) * step);
        const width = round(step * 0.7);
        return (
          <>
            <Block kind="series-1" x={x} width={width} top={BASE - tall(value)} height={tall(value)} />
            <Block kind="series-3" x={x} width={width} top={BASE - tall(value + more)} height={tall(more)} />
            {(bars.length - 1 - place) % every === 0 ? (
              <text text-anchor="middle" x={round(x + width / 2)} y={BASE + 20}>
                {short}
              </text>
            ) : null}
          </>
        );
      })}
    </svg>
  );
}

type BlockProps = { kind: string; x: number; top: number; width: number; height: number };

const Block = ({ kind, x, top, width, height }: BlockProps) =>
  height === 0 ? null : <rect class={kind} x={x} y={round(top)} width={width} height={round(height)} rx="2" />;

const Swatch = ({ of }: { of: string }) => (
  <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
    <rect class={of} width="12" height="12" rx="2" />
  </svg>
);

/** Rounds up to the next of 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((one) => one * power).find((one) => one >= value) ?? value;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Screen readers skip it, because the words beside it say the same. */
export const Meter = ({ used, whole }: { used: number; whole: number }) => (
  <svg class="meter" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true">
    <rect class="rail" width="100" height="1" />
    <rect
      class={used >= whole ? 'series-3' : 'series-1'}
      width={round(Math.min(100, Math.max(used > 0 ? 1 : 0, (used / whole) * 100)))}
      height="1"
    />
  </svg>
);
