import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite(['schedule', 'schedule with a key', 'schedule, only if free']);

crashSuite(['auto', 'auto with a key', 'run-job', 'run-job in vain']);

crashSuite(['sweep that finishes', 'sweep that gives up', 'delayed verification']);
