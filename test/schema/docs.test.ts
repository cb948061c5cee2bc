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

test('schema/README.md says of every query that touches a person what it shows to whom', () => {
  const readme = readFileSync('schema/README.md', 'utf8');
  const said = readme.slice(
    readme.indexOf('## Who sees what of a person'),
    readme.indexOf('## What stays of a person'),
  );
  const touching = globSync('schema/*/*queries.ts')
    .filter((file) => OF_PERSON.test(readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, '')))
    .map((file) => file.slice('schema/'.length));
  expect(touching.length).toBeGreaterThan(50);
  expect(touching.filter((file) => !said.includes(`\`${file}\``))).toEqual([]);
});
