import { expect, test } from 'vitest';
import { forecastOf } from '../../../lib/usage/usage.ts';

const at = (text: string) => Date.parse(text);

test.each([
  ['half a month, half of it', 200, 1_000, '2026-11-16T00:00:00Z', 400, undefined],
  ['the example of the interface', 308, 1_000, '2026-11-23T00:00:00Z', 420, undefined],
  ['too fast by half', 700, 1_000, '2026-11-16T00:00:00Z', 1_400, '2026-11-22T00:00:00Z'],
  ['without a limit', 700, null, '2026-11-16T00:00:00Z', 1_400, undefined],
  ['nothing used', 0, 25, '2026-11-16T00:00:00Z', 0, undefined],
  ['used up already', 25, 25, '2026-11-16T00:00:00Z', 50, undefined],
  ['a short February', 14, 1_000, '2027-02-15T00:00:00Z', 28, undefined],
])('%s', (_name, used, limit, now, total, usedUpOn) => {
  const forecast = forecastOf({ used, limit, now: at(now) });
  expect(forecast?.total).toBe(total);
  expect(forecast?.usedUpOn).toBe(usedUpOn === undefined ? undefined : at(usedUpOn));
});

test('the first day of a month tells too little', () => {
  expect(forecastOf({ used: 30, limit: 1_000, now: at('2026-11-01T23:59:59Z') })).toBeUndefined();
  expect(forecastOf({ used: 30, limit: 1_000, now: at('2026-11-02T00:00:00Z') })).toEqual({
    total: 900,
    lastDay: at('2026-11-30T00:00:00Z'),
    usedUpOn: undefined,
  });
});
