import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite([
  'accept',
  'decline',
  'sweep that books at expiry',
  'sweep that expires',
  'sweep that finishes an acceptance',
  'sweep that undoes an acceptance',
]);
