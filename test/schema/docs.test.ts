import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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

/** The part of schema/README.md that says of every query that touches a person what it shows to whom. */
function whoSees(): string {
  const readme = readFileSync('schema/README.md', 'utf8');
  return readme.slice(readme.indexOf('## Who sees what of a person'), readme.indexOf('## What stays of a person'));
}

const touching = globSync('schema/{access,answers,delivery,meetings,upkeep}/*.ts')
  .map((file) => ({ file: file.slice('schema/'.length), code: readFileSync(file, 'utf8') }))
  .filter(({ code }) => OF_PERSON.test(code.replaceAll(/\/\*[\s\S]*?\*\//g, '')));

test('schema/README.md says of every file with queries that touch a person what it shows to whom', () => {
  const said = whoSees();
  expect(touching.length).toBeGreaterThan(50);
  expect(touching.filter(({ file }) => !said.includes(`\`${file}\``))).toEqual([]);
});

test('and names every read of a file of which it does not say one thing for all', () => {
  const said = whoSees();
  const asOne = new Set([...said.matchAll(/`([\w-]+\/[\w-]+\.ts)`(?! `)/g)].map(([, file]) => file));
  const reads = touching
    .filter(({ file }) => !asOne.has(file))
    .flatMap(({ file, code }) =>
      [...code.matchAll(/^export (?:const|async function|function) ((?:list|find|select|count|sum|search)\w+)/gm)].map(
        ([, name]) => ({ file, name }),
      ),
    );
  expect(reads.length).toBeGreaterThan(20);
  expect(reads.filter(({ name }) => !said.includes(`\`${name}\``))).toEqual([]);
});
