import { defineConfig } from 'vitest/config';

const LONG = 'test/**/*.long.test.ts';
/** Suites whose answers real servers can change: where requests overlap, rows are locked, or Redis is asked. */
const ON_SERVERS = [
  'availability/served-snapshot',
  'calendars/{disconnect,oauth}',
  'meetings/{calendar-changes,cancel,followed-changes.long,meetings-read,reschedule,update}',
  'platform/{regenerate-key,remembered-key.long,statistics.long}',
  'proposals/{accept,counter,end,guest-life,move.long,propose}',
  'schedule/{auto,batch,idempotency,kept-answers.long}',
  'schedule/{quota,require-free,schedule}',
  'service/{limits.long,paging,ready}',
  'user/{learning,preferences}',
  'webhooks/{webhook-delivery,webhook-replay}',
].map((suites) => `test/functions/${suites}.test.ts`);
const LOADER = new URL('test/support/worlds/loader.ts', import.meta.url).href;
const common = {
  execArgv: ['--import', LOADER],
  // A limit tells a hanging test from a slow machine; it is no claim about time.
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000, interval: 5 } },
};

export default defineConfig({
  test: {
    // A world keeps a core busy: more of them than there are cores take a third longer in all.
    maxWorkers: '100%',
    globalSetup: ['test/support/worlds/global-setup.ts'],
    // Node imports the files itself, which takes a tenth off the time of a run: no test replaces a module.
    experimental: { viteModuleRunner: false },
    projects: [
      {
        test: {
          ...common,
          name: 'parts',
          isolate: false,
          include: ['test/lib/**/*.test.ts', 'test/local/**/*.test.ts', 'test/schema/**/*.test.ts'],
          exclude: [LONG],
        },
      },
      {
        // Through the real Worker: the files of a test worker share its one world.
        test: {
          ...common,
          name: 'worker',
          isolate: false,
          include: ['test/functions/**/*.test.ts', 'test/flows/**/*.test.ts'],
          exclude: [LONG],
        },
      },
      {
        // The same two kinds, at length: every crash point, every zone, thousands of random cases.
        test: { ...common, name: 'long', isolate: false, testTimeout: 600_000, include: [LONG] },
      },
      {
        // Pages in a real Chromium, the same for all test workers.
        test: {
          ...common,
          name: 'pages',
          isolate: false,
          testTimeout: 600_000,
          globalSetup: ['test/support/worlds/chromium.ts'],
          include: ['test/pages/**/*.test.ts'],
        },
      },
      {
        // The Worker once more, on real servers.
        test: {
          ...common,
          name: 'servers',
          isolate: false,
          setupFiles: ['test/races/servers.ts'],
          include: ON_SERVERS,
        },
      },
      {
        // Many requests at once, on real servers only: PGlite has one connection, so nothing races there.
        test: {
          ...common,
          name: 'races',
          isolate: false,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          setupFiles: ['test/races/servers.ts'],
          include: ['test/races/**/*.test.ts'],
        },
      },
      {
        // Whole histories with everything that fails in them; "npm test -- chaos" names the seeds.
        test: {
          ...common,
          name: 'chaos',
          isolate: false,
          fileParallelism: false,
          sequence: { groupOrder: 2 },
          testTimeout: 600_000,
          setupFiles: ['test/races/servers.ts'],
          include: ['test/chaos/**/*.test.ts'],
        },
      },
    ],
  },
});
