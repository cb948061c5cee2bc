import { expect, test } from 'vitest';
import { resultsCsv } from '../../../lib/client/cli/batch.ts';
import { CsvError, decoded, parseCsv } from '../../../lib/client/cli/csv.ts';
import { positionOf, roundOf } from '../../../lib/client/cli/rounds.ts';
import { UsageError } from '../../../lib/client/cli/usage.ts';
import type { Answers } from '../../../lib/client/tandem.ts';

const round = (text: string, minutes?: number) => roundOf('r.csv', Buffer.from(text), minutes);
const mistakesOf = (text: string): string[] => {
  try {
    round(text);
  } catch (error) {
    if (error instanceof UsageError) return error.message.split('\n');
    throw error;
  }
  return [];
};

test('each line becomes a meeting, and empty fields take what applies by default', () => {
  const text = [
    'metadata.room,reference,attendee,requester,duration_minutes,title,context,priority',
    'A;1,one,ben@x.test,ada@x.test,45,"Talk, first",interview,9',
    ',two, eve@x.test ,ada@x.test,,,,',
  ];
  expect(round(text.join('\n'), 20).meetings).toEqual([
    {
      ...{ reference: 'one', attendees: ['ada@x.test', 'ben@x.test'], duration_minutes: 45, title: 'Talk, first' },
      ...{ context: 'interview', priority: 9, metadata: { room: 'A;1' } },
    },
    { reference: 'two', attendees: ['ada@x.test', 'eve@x.test'], duration_minutes: 20 },
  ]);
});

test('all mistakes are named at once, each by line and column', () => {
  const text = [
    'reference,requester,attendee,priority',
    'a,ada@x.test,ADA@x.test,1',
    'b,ada,ben@x.test,high',
    'a,ada@x.test,ben@x.test,1,more',
    ',ada@x.test,',
  ];
  expect(mistakesOf(text.join('\r\n'))).toEqual([
    'r.csv, line 2, column 3: attendee must not be the requester.',
    'r.csv, line 3, column 2: requester must be an email address, not "ada".',
    'r.csv, line 3, column 4: priority must be a whole number, not "high".',
    'r.csv, line 4, column 1: the reference "a" is on line 2 already.',
    'r.csv, line 4, column 5: the line has 5 fields, the first line 4.',
    'r.csv, line 5, column 1: reference is empty.',
    'r.csv, line 5, column 3: attendee is empty.',
    'r.csv, line 5, column 4: the line has only 3 of 4 fields.',
    'Nothing was sent.',
  ]);
});

test.each([
  ['', ['r.csv is empty.']],
  ['reference,requester,attendee\n', ['r.csv has no meetings below the line with the column names.']],
  [
    'reference,requester,room\na,b,c',
    [
      'r.csv, line 1, column 3: "room" is not a column. The columns are reference, requester, attendee, duration_minutes, title, context, priority and metadata.<key>.',
      'r.csv, line 1, column 4: the column "attendee" is missing.',
      'Nothing was sent.',
    ],
  ],
  [
    'reference,requester,attendee,reference\na,b,c,d',
    ['r.csv, line 1, column 4: the column "reference" is there twice.', 'Nothing was sent.'],
  ],
  ['reference,requester,attendee\na,"b', ['r.csv, line 2, column 2 has a quote that is not closed.']],
])('%j is refused', (text, said) => {
  expect(mistakesOf(text)).toEqual(said);
});

test('a file with more meetings than a batch takes is refused, and one with as many is read whole', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, n) => `r${n},ada@x.test,p${n}@x.test`).join('\n');
  const header = 'reference,requester,attendee\n';
  expect(round(header + lines(2_000)).meetings).toHaveLength(2_000);
  expect(mistakesOf(header + lines(2_001))).toEqual([
    'r.csv has 2001 meetings, and a batch takes at most 2000. Split the file.',
  ]);
});

test('twenty mistakes are shown, and the others counted', () => {
  const lines = Array.from({ length: 25 }, (_, n) => `r${n},ada,p${n}@x.test`).join('\n');
  const said = mistakesOf(`reference,requester,attendee\n${lines}`);
  expect(said).toHaveLength(22);
  expect(said.at(-2)).toBe('5 more mistakes follow.');
});

test('a field that the API refuses is found in the file', () => {
  const read = round(
    '\uFEFFreference,requester,attendee,title\n"a\nb",ada@x.test,ben@x.test,T\nc,eve@x.test,x@x.test,U',
  );
  expect(positionOf('meetings.1.title', read)).toEqual({ line: 4, column: 4 });
  expect(positionOf('meetings.0.attendees.1', read)).toEqual({ line: 3, column: 3 });
  expect(positionOf('meetings.1.attendees.0', read)).toEqual({ line: 4, column: 2 });
  expect(positionOf('meetings.1.duration_minutes', read)).toEqual({ line: 4, column: 1 });
  expect(positionOf('date_range.end_date', read)).toBeUndefined();
  expect(positionOf('meetings.7.title', read)).toBeUndefined();
});

const result = (reference: string, attendee: string): Answers['BatchResult'] => ({
  reference,
  attendees: ['ada@example.com', attendee],
  state: 'failed',
  start_time: null,
  end_time: null,
  meeting_id: null,
  reason: { code: 'CALENDAR_NOT_FOUND', message: `${attendee} has no calendar`, suggestions: [], relaxations: [] },
});
const fieldsOf = (csv: string) => csv.split('\r\n')[1] ?? '';

test.each([
  ["=cmd|'/ccalc'!a0-@x.test", "'=cmd|'/ccalc'!a0-@x.test"],
  ['+1@x.test', "'+1@x.test"],
  ['-1@x.test', "'-1@x.test"],
  ['ada+1@x.test', 'ada+1@x.test'],
])('results.csv has no formula where an address is %s', (attendee, shown) => {
  const row = `r1,ada@example.com,${shown},failed,,,,CALENDAR_NOT_FOUND,${shown} has no calendar,`;
  expect(fieldsOf(resultsCsv([result('r1', attendee)]))).toBe(row);
});

test.each([
  ['=1+1', "'=1+1"],
  ['@SUM(1)', "'@SUM(1)"],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
  ['1-1', '1-1'],
])('nor where a reference is %s', (reference, shown) => {
  expect(fieldsOf(resultsCsv([result(reference, 'bob@example.com')])).startsWith(`${shown},ada@`)).toBe(true);
});

/** Writes rows with a bar between two fields, and a slash between two rows. */
const textsOf = (source: string) =>
  parseCsv(source)
    .map((row) => row.map(({ text }) => text).join('|'))
    .join(' / ');

test.each([
  ['a,b\nc,d', 'a|b / c|d'],
  ['a,b\r\nc,d\r\n', 'a|b / c|d'],
  ['\uFEFFa,b\n', 'a|b'],
  ['a;b,c\n"x;y";z', 'a|b,c / x;y|z'],
  ['a\tb\nc\td', 'a|b / c|d'],
  ['"a, quoted",b\n"two ""marks""",c', 'a, quoted|b / two "marks"|c'],
  ['a,"two\nlines",b\nc,d,e', 'a|two\nlines|b / c|d|e'],
  ['a,,\n,,', 'a|| / ||'],
  ['a,b\n\n\r\nc,d\n\n', 'a|b / c|d'],
  ['a,""\n', 'a|'],
  ['one', 'one'],
  ['a,b\rc,d', 'a|b\rc|d'],
  [' a , b ', ' a | b '],
])('%j has these rows', (source, rows) => {
  expect(textsOf(source)).toBe(rows);
});

test.each(['', '\n\n'])('%j has no rows', (source) => {
  expect(parseCsv(source)).toEqual([]);
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
      const rows = parseCsv(`x,y\n${quoted}\r\n${quoted}`).map((row) => row.map(({ text }) => text));
      expect(rows.slice(1)).toEqual(Array(2).fill([one, other]));
    }
});

test('a file in another encoding is refused with its first such line', () => {
  const latin1 = Uint8Array.from([...Buffer.from('a,b\nc,d\nM'), 0xfc, ...Buffer.from('ller,e\n')]);
  expect(() => decoded(latin1)).toThrow(
    expect.objectContaining({ line: 3, message: 'is not in UTF-8. Save the file as “CSV UTF-8”' }),
  );
  expect(decoded(Buffer.from('Müller,🙂'))).toBe('Müller,🙂');
});
