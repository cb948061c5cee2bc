import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite(['reschedule', 'sweep that reschedules', 'sweep that undoes a reschedule']);
