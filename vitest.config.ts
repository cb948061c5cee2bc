import { defineConfig } from 'vitest/config';

const common = { testTimeout: 20_000, hookTimeout: 60_000 };

export default defineConfig({
  test: {
    // Most of a test is waiting, so more workers than a small machine's cores.
    maxWorkers: 4,
    projects: [
      {
        test: {
          ...common,
          name: 'parts',
          include: ['test/lib/**/*.test.ts', 'test/local/**/*.test.ts', 'test/schema/**/*.test.ts'],
        },
      },
      {
        // Through the real Worker: the files of a test worker share its one world.
        test: {
          ...common,
          name: 'worker',
          isolate: false,
          include: ['test/functions/**/*.test.ts', 'test/flows/**/*.test.ts'],
        },
      },
      {
        // Many requests at once, on real servers only: PGlite has one connection, so nothing races there.
        test: {
          ...common,
          name: 'races',
          isolate: false,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
          setupFiles: ['test/races/servers.ts'],
          include: ['test/races/**/*.test.ts'],
        },
      },
    ],
  },
});
