import { crashSuite } from '../support/crash-suite.ts';

crashSuite(['sweep that finishes', 'sweep that gives up', 'delayed verification']);
