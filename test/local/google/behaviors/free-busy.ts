import { type Behavior, type Hand, insert, refusal } from './behavior.ts';

interface BusyAnswer {
  timeMin: string;
  calendars: Record<string, { busy?: { start: string; end: string }[]; errors?: unknown }>;
  groups?: unknown;
}

const NOBODY = 'nobody@unknown.example.com';

async function ask(hand: Hand, more: object = {}) {
  const body = { timeMin: hand.at('00:00'), timeMax: hand.at('23:00'), items: [{ id: 'primary' }], ...more };
  const answer = await hand.call('POST', '/freeBusy', { body });
  return { ...answer, body: answer.body as unknown as BusyAnswer };
}

const refused = async (hand: Hand, more: object) => {
  const { status, body } = await ask(hand, more);
  return refusal({ status, body: body as never });
};

const formOf = (time: string | undefined) => time?.replaceAll(/\d/g, '0');

export const FREE_BUSY: Behavior[] = [
  {
    title: 'free/busy of an unknown calendar is 200, with `errors` and an empty `busy`',
    evidence: 'documented (`freebusy.query`, field `errors`); the empty `busy` beside it seen by others',
    expected: [200, { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] }],
    async play(hand) {
      const { status, body } = await ask(hand, { items: [{ id: NOBODY }] });
      return [status, body.calendars[NOBODY]];
    },
  },
  {
    title: 'free/busy repeats its bounds in UTC with milliseconds, gives busy times without, and no `groups`',
    evidence: 'seen by others (answers in issues of client libraries)',
    expected: ['0000-00-00T00:00:00.000Z', '0000-00-00T00:00:00Z', undefined],
    async play(hand) {
      await insert(hand);
      const { body } = await ask(hand);
      return [formOf(body.timeMin), formOf(body.calendars.primary?.busy?.[0]?.start), body.groups];
    },
  },
  {
    title: 'with `timeZone`, busy times have the offset of that zone',
    evidence: 'documented (`freebusy.query`, field `timeZone`)',
    expected: '0000-00-00T00:00:00+00:00 in +05:30',
    async play(hand) {
      await insert(hand);
      const { body } = await ask(hand, { timeZone: 'Asia/Kolkata' });
      const start = body.calendars.primary?.busy?.[0]?.start;
      return `${formOf(start)} in ${start?.slice(-6)}`;
    },
  },
  {
    title: 'an event marked free does not make busy',
    evidence: 'documented (`events`, field `transparency`)',
    expected: [],
    async play(hand) {
      const times = { start: { dateTime: hand.at('03:00') }, end: { dateTime: hand.at('04:00') } };
      await insert(hand, { ...times, transparency: 'transparent' });
      const { body } = await ask(hand, { timeMin: hand.at('03:00'), timeMax: hand.at('04:00') });
      return body.calendars.primary?.busy;
    },
  },
  {
    title: 'a span that ends when it starts is 400 `timeRangeEmpty`',
    evidence: 'documented (guide "Handle API errors")',
    expected: [400, 'timeRangeEmpty'],
    play: (hand) => refused(hand, { timeMax: hand.at('00:00') }),
  },
  {
    title: 'a span of many months is 400 `timeRangeTooLong`',
    evidence: 'seen by others (calcom/cal.com, pull requests 11696 and 11962); the limit is not published',
    expected: [400, 'timeRangeTooLong'],
    play: (hand) => refused(hand, { timeMax: new Date(Date.parse(hand.at('00:00')) + 400 * 86_400_000).toISOString() }),
  },
  {
    title: 'a bound without an offset is 400, even with `timeZone`',
    evidence: 'seen by others (googleapis/google-api-nodejs-client, issue 3145)',
    expected: 400,
    play: async (hand) => (await ask(hand, { timeMin: hand.at('00:00').slice(0, 19), timeZone: 'UTC' })).status,
  },
];
