import { crashSuite } from '../support/crash-suite.ts';

crashSuite(['reschedule', 'sweep that reschedules', 'sweep that undoes a reschedule']);
