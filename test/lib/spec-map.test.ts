import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const text = readFileSync('test/spec-map.md', 'utf8');

/** Sentences of the interface, one per line, as they were agreed. None may be lost, or reworded to fit a test. */
const AGREED = '5970b41acf752be1451b779e6aa1e7542ad45f8691886f7fa153d62bda188c96';

interface Sentence {
  text: string;
  held: { file: string; title: string }[];
  notBuilt: string[];
  nothing: string[];
}

function read(): Sentence[] {
  const sentences: Sentence[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('- ')) sentences.push({ text: line.slice(2), held: [], notBuilt: [], nothing: [] });
    const [, under] = /^ {2}- (.+)$/.exec(line) ?? [];
    const sentence = sentences.at(-1);
    if (under === undefined || sentence === undefined) continue;
    const [, file, title] = /^`([^`]+)` (.+)$/.exec(under) ?? [];
    const [, kind, why = ''] = /^(Nothing to hold|Not built yet): (.+)$/.exec(under) ?? [];
    if (file !== undefined && title !== undefined) sentence.held.push({ file: `test/${file}`, title });
    else if (kind === 'Not built yet') sentence.notBuilt.push(why);
    else if (kind === 'Nothing to hold') sentence.nothing.push(why);
    else throw new Error(`neither a test nor a reason: ${under}`);
  }
  return sentences;
}

const sentences = read();

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
  const unclear = sentences.filter(
    ({ held, notBuilt, nothing }) => [held, notBuilt, nothing].filter(({ length }) => length > 0).length !== 1,
  );
  expect(unclear.map((sentence) => sentence.text)).toEqual([]);
});

test('every test that is named is there', () => {
  const files = new Map<string, Set<string>>();
  const missing = sentences
    .flatMap(({ held }) => held)
    .filter(({ file, title }) => {
      const titles = files.get(file) ?? titlesIn(file);
      files.set(file, titles);
      return !titles.has(title);
    });
  expect(missing).toEqual([]);
});

test('the counts are those of the sentences', () => {
  const count = (isOne: (sentence: Sentence) => boolean) => sentences.filter(isOne).length;
  const held = count((sentence) => sentence.held.length > 0);
  const notBuilt = count((sentence) => sentence.notBuilt.length > 0);
  const nothing = count((sentence) => sentence.nothing.length > 0);
  expect(text).toContain(
    `\n${held} sentences are held by tests, ${notBuilt} are not built yet, ${nothing} have nothing that could be held.\n`,
  );
});
