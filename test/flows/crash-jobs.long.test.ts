import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite(['auto', 'auto with a key', 'run-job', 'run-job in vain']);

crashSuite(['sweep that finishes', 'sweep that gives up', 'delayed verification']);
