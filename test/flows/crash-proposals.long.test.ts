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
