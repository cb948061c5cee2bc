// Lower a bound when its figure falls.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readFlags } from '../../functions/cli/command.ts';
import { figuresOf } from './figures.ts';
import { offences } from './floors.ts';

readFlags(
  'npm run lint checks style and the order of folders, and prints how much there is to read, within its bounds.',
);
const list = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);

const files = new Map(list('ls-files').map((path) => [path, readFileSync(path, 'utf8')]));
const generated = list('ls-files', ':(attr:linguist-generated)', ':!*package-lock.json');
const broken = offences(new Map([...files].filter(([path]) => /^(?:functions|lib|schema)\/.*\.tsx?$/.test(path))));
const figures = figuresOf(files, new Set(generated));

for (const line of broken) console.error(line);
for (const { name, is, atMost } of figures)
  console.log(`${String(is).padStart(7)}  ${name}${is > atMost ? `: more than ${atMost}` : ''}`);
if (broken.length > 0 || figures.some(({ is, atMost }) => is > atMost)) process.exitCode = 1;
