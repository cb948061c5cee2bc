import { crashSuite } from '../support/crash-suite.ts';

crashSuite(['cancel', 'update', 'update to another person']);
