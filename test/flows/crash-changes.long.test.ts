import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite(['cancel', 'update', 'update to another person']);
