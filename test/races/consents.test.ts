import { expect, test } from 'vitest';
import { listed } from '../support/people/calendars.ts';
import { freshPerson, freshPlatform } from '../support/people/factories.ts';
import { expectToldOrConnected } from '../support/people/leaving.ts';
import { hold, met } from '../support/worlds/held.ts';
import { healAfterEach, world } from '../support/worlds/world.ts';

healAfterEach();

test.each([
  ['was connected before, is not revoked with it', true],
  ['connects for the first time, is refused once it was revoked with it', false],
])(
  'a consent that is still under way when another is kept and ended, of a person who %s',
  async (_who, wasConnected) => {
    const [platform, late] = [await freshPlatform({ plan: 'enterprise' }), await freshPlatform({ plan: 'enterprise' })];
    const ada = freshPerson();
    if (wasConnected) await world.connectCalendar(platform, ada.email);
    const held = hold({ target: 'neon', body_match: 'insert into \\\\"connections', times: 1 });
    const connecting = world.connectCalendar(late, ada.email).catch((error: Error) => error);
    await met(held);
    await world.connectCalendar(platform, ada.email);
    expect((await platform.api.disconnect(ada.email)).status).toBe(200);
    held.release();
    await connecting;
    expect((await listed(late)).count).toBe(wasConnected ? 1 : 0);
    await expectToldOrConnected(platform, late, ada.email);
  },
);
