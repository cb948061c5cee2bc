import { parseArgs } from 'node:util';
import { engineAt } from '../support/earlier-engine.ts';
import { figuresOf, keepsBound, sayFigure } from './figures.ts';

// What `npm test -- stories --figures` prints. `--baseline <commit>` puts an earlier engine's figures beside them.

const { baseline } = parseArgs({ options: { figures: { type: 'boolean' }, baseline: { type: 'string' } } }).values;
const figures = figuresOf();
const earlier = baseline === undefined ? undefined : await engineAt(baseline);
const before = earlier && figuresOf(earlier.engine);
earlier?.remove();

for (const [i, figure] of figures.entries()) {
  const was = before?.[i];
  console.log(
    `${figure.name}: ${was ? `${sayFigure(was)} → ` : ''}${sayFigure(figure)}${keepsBound(figure) ? '' : '   (bound missed)'}`,
  );
}
process.exit(figures.every(keepsBound) ? 0 : 1);
