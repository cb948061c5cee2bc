import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseBusy, parseProviderTime } from '../../../../lib/engine/time/provider-time.ts';

test.each([
  '2026-03-29T10:00:00Z',
  '2026-03-29T10:00:00.000Z',
  '2026-03-29T10:00:00.123Z',
  '2026-03-29T10:00:00+02:00',
  '2026-03-29T10:00:00-03:30',
  '2028-02-29T23:59:59.5+05:45',
  '1999-12-31T23:59:59-11:00',
])('%s is read as Date.parse reads it', (text) => {
  expect(parseProviderTime(text)).toBe(Date.parse(text));
});

test('any instant is read as Date.parse reads it', () => {
  const instant = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2100, 0, 1) });
  fc.assert(
    fc.property(instant, (time) => {
      expect(parseProviderTime(new Date(time).toISOString())).toBe(time);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  '',
  '2026-03-29',
  '2026-03-29T10:00:00',
  '2026-03-29T1a:00:00Z',
  '2026-13-29T10:00:00Z',
  '2026-03-29T10:00:00+2:00',
  'tomorrow at ten o’clock',
])('%j cannot be read', (text) => {
  expect(parseProviderTime(text)).toBeNaN();
});

test('a busy list is read whole or not at all', () => {
  const item = { start: '2026-03-29T10:00:00Z', end: '2026-03-29T11:00:00Z' };
  expect(parseBusy([item])).toEqual(new Float64Array([Date.parse(item.start), Date.parse(item.end)]));
  expect(() => parseBusy([item, { start: '2026-03-29', end: '2026-03-30' }])).toThrow('cannot be read');
});
