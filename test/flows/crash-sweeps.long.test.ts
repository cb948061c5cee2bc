import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite(['sweep that finishes', 'sweep that gives up', 'delayed verification']);
