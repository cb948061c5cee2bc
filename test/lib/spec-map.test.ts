import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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
