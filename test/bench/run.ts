// Runs a bench: npm run bench -- <name>
import { argv } from 'node:process';
import type { ParseArgsOptionsConfig } from 'node:util';
import { end, readFlags, refuse } from '../../functions/cli/command.ts';

const text = { type: 'string' } as const;
const yes = { type: 'boolean' } as const;
const BENCHES: Record<string, ParseArgsOptionsConfig> = {
  batch: { b2b: text, weeks: text },
  bundle: {},
  cost: { google: text },
  growth: {},
  load: {},
  night: {},
  requests: {},
  search: {},
  webhooks: {},
  week: { people: text, days: text, kind: text, seed: text, save: yes },
};
const lines = Object.entries(BENCHES).map(([name, flags]) =>
  [`  ${name}`, ...Object.entries(flags).map(([flag, { type }]) => `[--${flag}${type === 'string' ? ' …' : ''}]`)].join(
    ' ',
  ),
);
const USAGE = `npm run bench -- <name>, with one of these. test/bench/README.md says what each measures.\n\n${lines.join('\n')}`;

const name = argv[2] ?? '';
const flags = BENCHES[name];
readFlags(USAGE, flags, { words: true });
if (flags === undefined) end(refuse('Name a bench.', USAGE));
// A bench reads its own flags again, and finds them in the place of its name.
argv.splice(2, 1);
await import(`./${name}.ts`);
