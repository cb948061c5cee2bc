import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { BOOKING } from '../controls/booking.ts';
import { CALENDARS } from '../controls/calendars.ts';
import { CHAOS } from '../controls/chaos.ts';
import { edited } from '../controls/control.ts';
import { ENGINE } from '../controls/engine.ts';
import { KEYS } from '../controls/keys.ts';

const root = resolve(import.meta.dirname, '../..');

test.each([...BOOKING, ...CALENDARS, ...CHAOS, ...ENGINE, ...KEYS].map(({ name, edits }) => [name, edits] as const))(
  'the control "%s" finds its place',
  (_name, edits) => {
    for (const edit of edits) expect(edited(root, edit)).toContain(edit.to);
  },
);
