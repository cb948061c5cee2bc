import { crashSuite } from '../support/worlds/crash-suite.ts';

crashSuite(['sweep that cancels', 'sweep that updates', 'sweep that undoes an update']);
