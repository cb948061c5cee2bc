import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'hono/jsx' } },
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    exclude: ['test/races/**', 'test/bench/**'],
    // The files of a worker share its one world.
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
