import { expect, test } from 'vitest';
import { resultsCsv } from '../../../lib/client/cli/show-batch.ts';
import type { BatchResult } from '../../../lib/client/tandem.ts';

const result = (reference: string, attendee: string): BatchResult => ({
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
