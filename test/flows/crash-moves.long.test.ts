import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite([
  'reschedule that proposes',
  'accept a move',
  'sweep that moves at expiry',
  'sweep that finishes a move',
  'sweep that undoes a move',
  'cancel a meeting that is to be moved',
  'counter to a move',
  'sweep that offers times after a decline',
]);
