import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite(['schedule', 'schedule with a key', 'schedule, only if free']);

crashSuite(['auto', 'auto with a key', 'run-job', 'run-job in vain']);

crashSuite(['sweep that finishes', 'sweep that gives up', 'delayed verification']);

crashSuite([
  'cancel',
  'cancel as previewed',
  'cancel as previewed, of a moved event',
  'update',
  'update of an event that may have changed',
  'update to another person',
]);

crashSuite(['sweep that cancels', 'sweep that updates', 'sweep that undoes an update']);

crashSuite(['reschedule', 'sweep that reschedules', 'sweep that undoes a reschedule']);
