import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WHO_SEES } from './who-sees.ts';

/** The tables of people and of what belongs to them, under the names that queries use. */
const OF_PERSON =
  /\b(?:users|connections|calendarAccounts|meetingPeople|holds|standingRules|busySnapshots|meeting_people)\b/;

test('every text that only the documentation shows is marked, so that the Worker does not carry it', () => {
  const unmarked = globSync('schema/api/**/*.ts').flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /(?:\.describe\(\s*(?!\s|docs\()|^ {2}(?:summary|description):\s*['"`]).*$/gm,
      ),
    ].map(([text]) => `${file}: ${text}`),
  );
  expect(unmarked).toEqual([]);
});

const touching = globSync('schema/{access,answers,delivery,meetings,upkeep}/*.ts')
  .map((file) => ({ file: file.slice('schema/'.length), code: readFileSync(file, 'utf8') }))
  .filter(({ code }) => OF_PERSON.test(code.replaceAll(/\/\*[\s\S]*?\*\//g, '')));

const said = Object.values(WHO_SEES).flatMap((files) => Object.entries(files));

test('every file with queries that touch a person says what lets them be asked', () => {
  expect(touching.length).toBeGreaterThan(50);
  expect(touching.filter(({ file }) => !said.some(([one]) => one === file))).toEqual([]);
});

test('and so does every read of a file that does not say one thing for all', () => {
  const reads = touching
    .filter(({ file }) => !said.some(([one, names]) => one === file && names === 'all'))
    .flatMap(({ file, code }) =>
      [...code.matchAll(/^export (?:const|async function|function) ((?:list|find|select|count|sum|search)\w+)/gm)].map(
        ([, name = '']) => ({ file, name }),
      ),
    );
  expect(reads.length).toBeGreaterThan(20);
  const named = said.flatMap(([file, names]) => (names === 'all' ? [] : names.map((name) => `${file} ${name}`)));
  expect(reads.map(({ file, name }) => `${file} ${name}`).sort()).toEqual(named.sort());
});

test('no file is named that is not there', () => {
  const there = globSync('schema/*/*.ts').map((file) => file.slice('schema/'.length));
  expect(said.filter(([file]) => !there.includes(file))).toEqual([]);
});
