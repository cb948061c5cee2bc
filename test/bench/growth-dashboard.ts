import { createBrowser } from '../local/browser.ts';
import type { PlatformKeys } from '../local/platforms.ts';
import type { World } from '../local/world.ts';
import { createClient } from '../support/worlds/client.ts';

const LIST = '/dashboard/meetings?';
const LOG = '/dashboard/webhooks?';

/**
 * Pages of the dashboard with their filters: a part of a title that every meeting of the bench has, and one that none
 * has; every filter of deliveries alone and with others, also with values that no delivery has, for which Postgres must
 * look longest.
 */
const pages = ({ busy, day, url }: { busy: string; day: string; url: string }): [name: string, path: string][] => [
  ['the first page', '/dashboard'],
  ['a person', `/dashboard/people/${encodeURIComponent(busy)}`],
  ['meetings by title', `${LIST}title=review`],
  ['meetings by a title that none has', `${LIST}title=no+such+title`],
  ['a person’s meetings by title', `${LIST}title=review&attendee=${encodeURIComponent(busy)}`],
  ['a person’s meetings by a title that none has', `${LIST}title=none&attendee=${encodeURIComponent(busy)}`],
  ['meetings by title and status', `${LIST}title=review&status=cancelled`],
  ['deliveries', LOG],
  ['deliveries by status', `${LOG}status=failed`],
  ['deliveries by event', `${LOG}event=meeting.scheduled`],
  ['deliveries by event, rescheduled', `${LOG}event=meeting.rescheduled`],
  ['deliveries by event, of which there are none', `${LOG}event=proposal.expired`],
  ['deliveries by event and status', `${LOG}event=meeting.scheduled&status=pending`],
  ['deliveries by URL', `${LOG}url=${encodeURIComponent('https://fill.test')}`],
  ['deliveries by a URL to which none was sent', `${LOG}url=${encodeURIComponent(url)}`],
  ['deliveries of a day', `${LOG}from=${day}&to=${day}`],
  [
    'deliveries by all filters',
    `${LOG}from=${day}&event=meeting.scheduled&status=failed&url=${encodeURIComponent(url)}`,
  ],
];

/** Opens the platform's dashboard, and its lists with every filter. */
export async function walkDashboard(
  world: World,
  { platform, busy }: { platform: PlatformKeys; busy: string },
  begin: (step: string) => void,
): Promise<void> {
  begin('the dashboard is opened');
  const { body } = await createClient(world.baseUrl, platform.secret_key).send('POST', '/v1/platform/dashboard-link');
  const browser = createBrowser([new URL(world.baseUrl).host]);
  await browser.submit(await browser.open(String((body as { url: string }).url)), '/dashboard/enter');
  const day = new Date(world.clock.now() - 3 * 86_400_000).toISOString().slice(0, 10);
  for (const [name, path] of pages({ busy, day, url: 'https://former.test/hooks' })) {
    begin(`the dashboard: ${name}`);
    const { status } = await browser.open(`${world.baseUrl}${path}`);
    if (status !== 200) throw new Error(`${path}: ${status}`);
  }
}
