import { benchInput } from './search-input.ts';

// Runs one measurement of search.ts in a process of its own: the very first search, or the bytes that one warm search
// allocates.

const [what, days, busy] = process.argv.slice(2);

if (what === 'cold') {
  const input = benchInput('spring', 30, 100, 1);
  const from = performance.now();
  const { withSentences } = await import('./search-input.ts');
  const loaded = performance.now();
  withSentences(input);
  console.log(`${loaded - from} ${performance.now() - loaded}`);
} else {
  const inputs = Array.from({ length: 20 }, (_, i) =>
    benchInput(i % 2 === 0 ? 'spring' : 'autumn', Number(days), Number(busy), i),
  );
  const { withSentences } = await import('./search-input.ts');
  const runAll = (times: number) => {
    for (let i = 0; i < times; i++) for (const input of inputs) withSentences(input);
  };
  runAll(30);
  globalThis.gc?.();
  const before = process.memoryUsage();
  runAll(20);
  const after = process.memoryUsage();
  const bytes = after.heapUsed - before.heapUsed + (after.arrayBuffers - before.arrayBuffers);
  console.log(bytes / (20 * inputs.length) / 1000);
}
