import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite(['schedule', 'schedule with a key', 'schedule, only if free']);
