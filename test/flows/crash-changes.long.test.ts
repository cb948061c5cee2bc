import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite(['cancel', 'update', 'update of an event that may have changed', 'update to another person']);
