import { expect, test } from 'vitest';
import { CsvError, decoded, parseCsv } from '../../../lib/client/cli/csv.ts';

const textsOf = (source: string) => parseCsv(source).map((row) => row.map(({ text }) => text));

test.each([
  [
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'a,b\r\nc,d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['\uFEFFa,b\n', [['a', 'b']]],
  [
    'a;b,c\n"x;y";z',
    [
      ['a', 'b,c'],
      ['x;y', 'z'],
    ],
  ],
  [
    'a\tb\nc\td',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    '"a, quoted",b\n"two ""marks""",c',
    [
      ['a, quoted', 'b'],
      ['two "marks"', 'c'],
    ],
  ],
  [
    'a,"two\nlines",b\nc,d,e',
    [
      ['a', 'two\nlines', 'b'],
      ['c', 'd', 'e'],
    ],
  ],
  [
    'a,,\n,,',
    [
      ['a', '', ''],
      ['', '', ''],
    ],
  ],
  [
    'a,b\n\n\r\nc,d\n\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  ['a,""\n', [['a', '']]],
  ['one', [['one']]],
  ['a,b\rc,d', [['a', 'b\rc', 'd']]],
  [' a , b ', [[' a ', ' b ']]],
  ['', []],
  ['\n\n', []],
])('%j has these rows', (source, rows) => {
  expect(textsOf(source)).toEqual(rows);
});

test('a field knows the line and the column at which it begins, also after quoted line ends and empty lines', () => {
  const rows = parseCsv('a,b\r\n"one\ntwo",c\n\nd,e');
  expect(rows.flat().map(({ text, line, column }) => [text, line, column])).toEqual([
    ['a', 1, 1],
    ['b', 1, 2],
    ['one\ntwo', 2, 1],
    ['c', 3, 2],
    ['d', 5, 1],
    ['e', 5, 2],
  ]);
});

test.each([
  ['a,b\nc,"d', 2, 2, 'has a quote that is not closed'],
  ['a,b\n"c"d,e', 2, 1, 'has text after the closing quote'],
  ['a,b\nc,d"e', 2, 2, 'has a quote within a field that does not begin with one. Quote the whole field'],
])('%j is refused at its place', (source, line, column, message) => {
  expect(() => parseCsv(source)).toThrow(expect.objectContaining({ name: 'Error', line, column, message }));
  expect(() => parseCsv(source)).toThrow(CsvError);
});

test('whatever is in a field comes back if it was quoted', () => {
  const fields = ['', ' ', ',', ';', '"', '""', '\n', '\r\n', 'ä', '🙂', '\uFEFF', 'a"b,c\nd', '\t'];
  for (const one of fields)
    for (const other of fields) {
      const quoted = [one, other].map((text) => `"${text.replaceAll('"', '""')}"`).join(',');
      expect(textsOf(`x,y\n${quoted}\r\n${quoted}`)).toEqual([
        ['x', 'y'],
        [one, other],
        [one, other],
      ]);
    }
});

test('a file in another encoding is refused with its first such line', () => {
  const latin1 = Uint8Array.from([...Buffer.from('a,b\nc,d\nM'), 0xfc, ...Buffer.from('ller,e\n')]);
  expect(() => decoded(latin1)).toThrow(
    expect.objectContaining({ line: 3, message: 'is not in UTF-8. Save the file as “CSV UTF-8”' }),
  );
  expect(decoded(Buffer.from('Müller,🙂'))).toBe('Müller,🙂');
});
