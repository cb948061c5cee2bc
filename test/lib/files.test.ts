import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BOOKING } from '../controls/booking.ts';
import { CALENDARS } from '../controls/calendars.ts';
import { CHAOS } from '../controls/chaos.ts';
import { edited } from '../controls/control.ts';
import { ENGINE } from '../controls/engine.ts';
import { KEYS } from '../controls/keys.ts';
import { circles, offences } from '../house/floors.ts';

/**
 * Returns the paths that the lists of a page name before their colon. They are relative to the folder in the heading
 * above, or otherwise to the page's own folder.
 */
function namedIn(page: string, root: string): string[] {
  return readFileSync(page, 'utf8')
    .split('\n## ')
    .filter((section) => /^(?:`|Where )/.test(section))
    .flatMap((section) => {
      const [, folder = '.'] = /^`([\w-]+)`/.exec(section) ?? [];
      const heads = section.split('\n').flatMap((line) => (line.startsWith('- ') ? [line.split('`: ')[0] ?? ''] : []));
      return heads.flatMap((head) =>
        [...head.matchAll(/`([\w./-]+)/g)].map(([, name = '']) => join(root, folder, name)),
      );
    });
}

test('the page of schema names no file that is not there', () => {
  const named = [...readFileSync('schema/README.md', 'utf8').matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) =>
    /^(?:lib|test)\//.test(name) ? name : join('schema', name),
  );
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});

test('the page of lib says of every folder what it is for, and names no file that is not there', () => {
  const sections = readFileSync('lib/README.md', 'utf8').split('\n## `').slice(1);
  const folders = sections.map((section) => section.slice(0, section.indexOf('`')));
  expect([...folders, 'README.md'].toSorted()).toEqual(readdirSync('lib').toSorted());
  const named = sections.flatMap((section, at) =>
    [...section.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name = '']) => join('lib', folders[at] ?? '', name)),
  );
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
  expect(named.length).toBeGreaterThan(5);
});

test('the page of functions names no file that is not there', () => {
  const named = namedIn('functions/README.md', 'functions');
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((path) => !existsSync(path))).toEqual([]);
});

const code = new Map(
  globSync('{functions,lib,schema}/**/*.{ts,tsx}', { exclude: ['**/node_modules/**'] }).map((path) => [
    path,
    readFileSync(path, 'utf8'),
  ]),
);

test('every import leads to a lower floor, and no folders lie in a circle', () => {
  expect(code.size).toBeGreaterThan(400);
  expect(offences(code)).toEqual([]);
  expect(circles(code)).toEqual([]);
});

test('no quotation is written by hand, because `quotedWords` and patterns keep others from ending it', () => {
  const others = [...code].filter(([path]) => !path.startsWith('lib/words/'));
  const byHand = others.flatMap(([path, text]) =>
    (text.match(/[“„]\s*(?:\$?\{|<)/g) ?? []).map((it) => `${path} ${it}`),
  );
  expect(byHand).toEqual([]);
});

test.each([
  ['schema/db.ts', '../lib/kit/ids.ts'],
  ['schema/api/slot.ts', '../tables/meetings.ts'],
  ['schema/columns.ts', './api/slot.ts'],
  ['lib/kit/ids.ts', '../people/export.ts'],
  ['lib/nowhere/new.ts', '../kit/ids.ts'],
  ['lib/meetings/jobs/run.ts', '../batches/run.ts'],
  ['lib/meetings/verbs/cancel.ts', '../follow/declined.ts'],
  ['lib/engine/time/zone.ts', 'date-fns'],
  ['lib/engine/plan/plan.ts', '../types.ts'],
  ['lib/words/slots.ts', '../reader/read-text.ts'],
  ['lib/reader/read-text.ts', '../words/title.ts'],
  ['lib/adapters/redis.ts', '../words/title.ts'],
  ['lib/tools/tool.ts', '../meetings/verbs/cancel.ts'],
  ['lib/people/export.ts', 'drizzle-orm/pg-core'],
  ['lib/people/export.ts', 'hono'],
  ['functions/http/body.ts', '../v1/index.ts'],
  ['functions/app.ts', './openapi/document.ts'],
  ['functions/prerendered.ts', './pages/docs/pages.ts'],
])('%s may not import %s', (from, to) => {
  expect(offences(new Map([[from, `import type {\n  Some,\n} from '${to}';\n`]]))).not.toEqual([]);
});

test('a circle of folders is found at any depth', () => {
  const lead = (to: string) => `export { some } from '${to}';\n`;
  expect(
    circles(
      new Map([
        ['lib/one/a/x.ts', lead('../b/y.ts')],
        ['lib/one/b/y.ts', lead('../c.ts')],
        ['lib/one/c.ts', lead('./a/z.ts')],
      ]),
    ),
  ).toEqual(['lib/one/a', 'lib/one/b', 'lib/one/c.ts']);
});

const FOLDERS = ['functions', 'lib', 'schema', 'test'];

const sources = FOLDERS.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:tsx?|md)$/.test(name) && !name.includes('node_modules'))
    .map((name) => join(folder, name)),
)
  .concat('README.md')
  // A citation may continue on the next line of its comment.
  .map((file) => ({ file, text: readFileSync(file, 'utf8').replaceAll(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ') }));

const cited = (pattern: RegExp) =>
  sources.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, name = '']) => ({ file, name })));

const headings = [...readFileSync('schema/DECISIONS.md', 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => heading);

test('every decision that is cited has its heading', () => {
  const decisions = cited(/DECISIONS\.md, "([^"]+)"/g);
  expect(decisions.length).toBeGreaterThan(20);
  expect(decisions.filter(({ name }) => !headings.includes(name))).toEqual([]);
});

test('no heading stands for two decisions', () => {
  expect(headings.filter((heading, i) => headings.indexOf(heading) !== i)).toEqual([]);
});

test('every document that is cited is in the repository', () => {
  // An address such as /docs/search.md is a page of the product, not a file.
  const documents = cited(/(?<![\w./-])(?!\/)([\w./-]+\.md)\b/g);
  expect(documents.length).toBeGreaterThan(20);
  const missing = documents.filter(({ file, name }) => !existsSync(name) && !existsSync(join(dirname(file), name)));
  expect(missing).toEqual([]);
});

test('no document is cited by a short name', () => {
  expect(
    cited(/\(((?:agents|decisions|design|house|interface|protocols|reliability|style|voice)(?:, [A-Z][a-z]| §))/g),
  ).toEqual([]);
});

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const SOURCES = ['*.md', '.ci/run', 'wrangler.toml', '{functions,lib,schema,test}/**/*.{md,ts,tsx}'];
const files = globSync(SOURCES, { exclude: ['**/node_modules/**', '**/made/**'] });

test('every script that a page or a comment names is in package.json', () => {
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/npm run ([a-z]+(?::[a-z]+)*)/g)].map(([, name = '']) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ name }) => !(name in scripts))).toEqual([]);
});

const root = resolve(import.meta.dirname, '../..');

test.each([...BOOKING, ...CALENDARS, ...CHAOS, ...ENGINE, ...KEYS].map(({ name, edits }) => [name, edits] as const))(
  'the control "%s" finds its place',
  (_name, edits) => {
    for (const edit of edits) expect(edited(root, edit)).toContain(edit.to);
  },
);

const text = readFileSync('test/lib/spec-map.txt', 'utf8');

/** Sentences of the interface, one per line, as they were agreed. None may be lost, or reworded to fit a test. */
const AGREED = '5970b41acf752be1451b779e6aa1e7542ad45f8691886f7fa153d62bda188c96';

interface Test {
  file: string;
  title: string;
}

interface Sentence {
  text: string;
  held: Test[];
  nothing: string[];
}

const [map = '', list = ''] = text.split('\n## The tests\n');

/** Returns the tests in the list at the end of the file, keyed by their labels. */
function readTests(): Map<string, Test> {
  const tests = new Map<string, Test>();
  for (const section of list.split('\n### ').slice(1)) {
    const [heading = '', ...lines] = section.split('\n').filter((line) => line !== '');
    for (const line of lines) {
      const [, label, title] = /^- ([\w/-]+\.\d+): (.+)$/.exec(line) ?? [];
      if (label === undefined || title === undefined || tests.has(label)) throw new Error(`not one test: ${line}`);
      tests.set(label, { file: `test/${heading.replaceAll('`', '')}`, title });
    }
  }
  return tests;
}

const tests = readTests();

function testOf(label: string): Test {
  const test = tests.get(label);
  if (test === undefined) throw new Error(`neither a test nor a reason: ${label}`);
  return test;
}

function readSentences(): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of map.split('\n')) {
    if (line.startsWith('- ')) sentences.push({ text: line.slice(2), held: [], nothing: [] });
    const [, under] = /^ {2}- (.+)$/.exec(line) ?? [];
    const sentence = sentences.at(-1);
    if (under === undefined || sentence === undefined) continue;
    const [, why] = /^Nothing to hold: (.+)$/.exec(under) ?? [];
    if (why === undefined) sentence.held.push(...under.split(', ').map(testOf));
    else sentence.nothing.push(why);
  }
  return sentences;
}

const sentences = readSentences();

/** Returns the titles of a file's tests and suites, or none if one of them is skipped. */
function titlesIn(file: string): Set<string> {
  const code = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (/\b(?:test|describe)\.(?:skip|todo|only)\b/.test(code)) return new Set();
  const calls = code.matchAll(/(?:\b(?:test|describe)|\))\(\s*(['"`])((?:\\.|(?!\1).)+)\1,/g);
  return new Set([...calls].map(([, , title = '']) => title.replaceAll(/\\(['"`])/g, '$1')));
}

test('every sentence of the interface is here', () => {
  const words = sentences.map((sentence) => sentence.text).join('\n');
  expect(createHash('sha256').update(words).digest('hex')).toBe(AGREED);
});

test('each is held by tests, or says why not', () => {
  const unclear = sentences.filter(({ held, nothing }) => held.length > 0 === nothing.length > 0);
  expect(unclear.map((sentence) => sentence.text)).toEqual([]);
});

test('every test that is listed is there, and holds a sentence', () => {
  const files = new Map<string, Set<string>>();
  const holding = new Set(sentences.flatMap(({ held }) => held));
  const wrong = [...tests.values()].filter((one) => {
    const titles = files.get(one.file) ?? titlesIn(one.file);
    files.set(one.file, titles);
    return !titles.has(one.title) || !holding.has(one);
  });
  expect(wrong).toEqual([]);
});
