import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

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
