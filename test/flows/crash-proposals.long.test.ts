import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite([
  'propose',
  'accept',
  'accept with a guest',
  'decline',
  'counter',
  'sweep that books at expiry',
  'sweep that expires',
  'sweep that finishes an acceptance',
  'sweep that finishes an acceptance with a guest',
  'sweep that undoes an acceptance',
  'sweep that undoes an acceptance with a guest',
]);

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
