import { withEngine } from './search-engine.ts';
import { type BenchInput, benchInput } from './search-input.ts';

// What search.ts runs in processes of their own: the very first search, or the bytes that one warm search allocates.

const [what, days, busy] = process.argv.slice(2);

if (what === 'cold') {
  const input = benchInput('spring', 30, 100, 1);
  const from = performance.now();
  withEngine(input);
  console.log(performance.now() - from);
} else {
  const inputs = Array.from({ length: 20 }, (_, i) =>
    benchInput(i % 2 === 0 ? 'spring' : 'autumn', Number(days), Number(busy), i),
  );
  runAll(inputs, 30);
  globalThis.gc?.();
  const before = process.memoryUsage();
  runAll(inputs, 20);
  const after = process.memoryUsage();
  const bytes = after.heapUsed - before.heapUsed + (after.arrayBuffers - before.arrayBuffers);
  console.log(bytes / (20 * inputs.length) / 1000);
}

function runAll(inputs: BenchInput[], times: number): void {
  for (let i = 0; i < times; i++) for (const input of inputs) withEngine(input);
}
