import { type Behavior, EVENTS, type Hand, insert, refusal } from './behavior.ts';

interface List {
  items: { id: string; status: string }[];
  nextPageToken?: string;
  nextSyncToken?: string;
}

const list = async (hand: Hand, query: Record<string, string>) => {
  const { status, body } = await hand.call('GET', EVENTS, { query });
  return { status, body: body as unknown as List };
};

/** Lists events to the last page, and returns the token with which to ask for later changes. */
async function syncTokenOf(hand: Hand): Promise<string> {
  for (let query: Record<string, string> = { timeMin: hand.at('00:00') }; ; ) {
    const { body } = await list(hand, query);
    if (body.nextSyncToken !== undefined) return body.nextSyncToken;
    if (body.nextPageToken === undefined) throw new Error('A list ended without a sync token.');
    query = { ...query, pageToken: body.nextPageToken };
  }
}

export const LISTS: Behavior[] = [
  {
    title: '`timeMin` bounds the end of events and `timeMax` their start, both exclusive',
    evidence: 'documented (`events.list`, parameters `timeMin` and `timeMax`)',
    expected: { endsAtMin: false, overlaps: true, startsAtMax: false },
    async play(hand) {
      const event = async (start: string, end: string) => {
        const times = { start: { dateTime: hand.at(start) }, end: { dateTime: hand.at(end) } };
        return String((await insert(hand, times)).body.id);
      };
      const ids = [await event('04:00', '05:00'), await event('04:30', '06:30'), await event('06:00', '07:00')];
      const { body } = await list(hand, { timeMin: hand.at('05:00'), timeMax: hand.at('06:00') });
      const [endsAtMin, overlaps, startsAtMax] = ids.map((id) => body.items.some((item) => item.id === id));
      return { endsAtMin, overlaps, startsAtMax };
    },
  },
  {
    title: '`orderBy=startTime` without `singleEvents` is 400',
    evidence: 'documented (`events.list`, parameter `orderBy`)',
    expected: 400,
    play: async (hand) => (await list(hand, { orderBy: 'startTime' })).status,
  },
  {
    title: 'a `fields` parameter leaves everything else out of the answer',
    evidence: 'documented (guide "Improve performance", partial responses)',
    expected: ['end', 'id'],
    async play(hand) {
      await insert(hand);
      const query = { timeMin: hand.at('00:00'), maxResults: '1', fields: 'items(id,end)' };
      const { body } = await list(hand, query);
      return Object.keys(body.items[0] ?? {}).sort();
    },
  },
  {
    title: 'a `fields` parameter with an unknown field is 400 `invalidParameter`',
    evidence: 'documented (guide "Improve performance"); the reason seen by others',
    expected: [400, 'invalidParameter'],
    play: async (hand) => refusal(await hand.call('GET', EVENTS, { query: { fields: 'items(nothing)' } })),
  },
  {
    title: 'the changes since a sync token include deletions',
    evidence: 'documented (guide "Synchronize resources efficiently")',
    expected: 'cancelled',
    async play(hand) {
      const { body: event } = await insert(hand);
      const syncToken = await syncTokenOf(hand);
      await hand.call('DELETE', `${EVENTS}/${String(event.id)}`);
      const { body } = await list(hand, { syncToken });
      return body.items.find(({ id }) => id === event.id)?.status;
    },
  },
  {
    title: 'a sync token together with `timeMin` is 400',
    evidence: 'documented (`events.list`, parameter `syncToken`)',
    expected: 400,
    async play(hand) {
      const syncToken = await syncTokenOf(hand);
      return (await list(hand, { syncToken, timeMin: hand.at('00:00') })).status;
    },
  },
  {
    title: 'the time zone of the calendar is the setting `timezone`',
    evidence: 'documented (`settings.get`)',
    expected: ['calendar#setting', 'timezone', 'string'],
    async play(hand) {
      const { body } = await hand.call('GET', '/users/me/settings/timezone');
      return [body.kind, body.id, typeof body.value];
    },
  },
];
