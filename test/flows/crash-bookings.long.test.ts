import { crashSuite } from '../support/crash-suite.ts';

crashSuite(['schedule', 'schedule with a key', 'schedule, only if free']);
