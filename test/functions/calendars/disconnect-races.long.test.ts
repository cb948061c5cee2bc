import { expect, test } from 'vitest';
import { connectedTwice, expectToldOrConnected } from '../../support/people/calendars.ts';
import { freshPlatform } from '../../support/people/factories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

test.each([0, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100])(
  'a platform that connects meanwhile, by %i ms, is told or connected',
  async (delay_ms) => {
    const { platform, ada } = await connectedTwice();
    const late = await freshPlatform({ plan: 'enterprise' });
    world.faults.add({ target: 'neon', body_match: 'insert into revocations', mode: 'delay', delay_ms });
    const [, answer] = await Promise.all([
      world.connectCalendar(late, ada.email).catch(() => undefined),
      platform.api.disconnect(ada.email),
    ]);
    expect(answer.status).toBe(200);
    await expectToldOrConnected(platform, late, ada.email);
  },
);
