import { expect, test } from 'vitest';
import { readByRules, readContext } from '../../../lib/reader/grammar/read.ts';

const calendar = { today: 20_787, oldDay: 20_789, oldMinute: 900, durationMinutes: 30, timeZone: 'Europe/London' };
const LONGEST_MS = 20;

test.each([
  ['times', 'Tuesday at 10 or Thursday after 2, '],
  ['commas', 'Mon, Tue, '],
  ['numbers', '1 2 11 30 '],
  ['words', 'could we push it back to '],
  ['words that say how much', 'very '],
  ['articles', 'a '],
  ['slashes', '/'],
  ['signs', '@'],
  ['unknown words', 'zyx wvu '],
  ['letters that become many', '㎨'],
  ['greetings', 'hiya Anna '],
  ['shares of weeks', 'mid to late next week or '],
  ['spelled hours', 'twenty five past seven pm '],
  ['denials', 'Friday is zyx, so no, '],
])('a text of 1,000 letters of %s is read in 20 ms of CPU', (_, part) => {
  const text = part.repeat(1_000).slice(0, 1_000);
  const readBoth = () => [readByRules(text, calendar), readContext(text)];
  const times = Array.from({ length: 5 }, () => {
    const start = process.cpuUsage();
    readBoth();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 2_000;
  });
  expect(Math.min(...times)).toBeLessThan(LONGEST_MS);
});
