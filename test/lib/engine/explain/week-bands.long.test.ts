import { test } from 'vitest';
import { expectBandsToAgree } from './bands-agreement.ts';

test('every minute of more random weeks is what the minute-by-minute oracle says', () => {
  expectBandsToAgree({ numRuns: 40, seed: 20_261_122 });
});
