import { test } from 'vitest';
import { CLAIMED, expectToBeReadRight } from './read-right.ts';

test.each(CLAIMED)('%j', expectToBeReadRight);
