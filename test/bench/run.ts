// Runs a bench: npm run bench -- <name>
import { argv } from 'node:process';

const BENCHES = [
  'batch',
  'bundle',
  'cost',
  'flows',
  'growth',
  'load',
  'night',
  'requests',
  'search',
  'strangers',
  'sweep',
  'webhooks',
  'week',
];

const [name = ''] = argv.splice(2, 1);
if (BENCHES.includes(name)) await import(`./${name}.ts`);
else {
  console.error(
    `npm run bench -- <name>, with one of ${BENCHES.join(', ')}; test/bench/README.md says what each measures`,
  );
  process.exitCode = 1;
}
