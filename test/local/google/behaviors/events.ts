import { type Answer, type Behavior, EVENTS, type Hand, insert, refusal } from './behavior.ts';

async function deleted(hand: Hand): Promise<{ path: string; id: string; first: Answer }> {
  const { body } = await insert(hand);
  const path = `${EVENTS}/${String(body.id)}`;
  return { path, id: String(body.id), first: await hand.call('DELETE', path) };
}

const isLater = (one: unknown, other: unknown) => Date.parse(String(one)) < Date.parse(String(other));

export const EVENT_BEHAVIORS: Behavior[] = [
  {
    title: 'deleting an event is 204 without a body, and deleting it again is 410 `deleted`',
    evidence: 'documented (guide "Handle API errors"); seen by others (google-api-python-client, issue 210)',
    expected: [204, {}, [410, 'deleted']],
    async play(hand) {
      const { path, first } = await deleted(hand);
      return [first.status, first.body, refusal(await hand.call('DELETE', path))];
    },
  },
  {
    title: 'reading a deleted event is 200 with `status: "cancelled"`',
    evidence: 'seen by others (google-api-ruby-client, issue 1811); others saw 404 or 410',
    expected: [200, 'cancelled'],
    async play(hand) {
      const { status, body } = await hand.call('GET', (await deleted(hand)).path);
      return [status, body.status];
    },
  },
  {
    title: 'inserting an id that is taken is 409 `duplicate`',
    evidence: 'documented (guide "Handle API errors")',
    expected: [409, 'duplicate'],
    async play(hand) {
      const { body } = await insert(hand);
      return refusal(await insert(hand, { id: body.id }));
    },
  },
  {
    title: 'inserting the id of a deleted event is 409 `duplicate` too',
    evidence: 'seen by others (google-api-ruby-client, issue 1811; google-api-python-client, issues 210 and 846)',
    expected: [409, 'duplicate'],
    play: async (hand) => refusal(await insert(hand, { id: (await deleted(hand)).id })),
  },
  {
    title: 'patching a deleted event with `status: "confirmed"` brings it back',
    evidence: 'seen by others (answers to google-api-ruby-client, issue 1811)',
    expected: [200, 'confirmed'],
    async play(hand) {
      const { path } = await deleted(hand);
      const { status, body } = await hand.call('PATCH', path, { body: { status: 'confirmed' } });
      return [status, body.status];
    },
  },
  {
    title: 'reading an id that never existed is 404 `notFound`',
    evidence: 'documented (guide "Handle API errors")',
    expected: [404, 'notFound'],
    play: async (hand) => refusal(await hand.call('GET', `${EVENTS}/${hand.id()}`)),
  },
  {
    title: "a client's id has 5 to 1,024 characters of a to v and 0 to 9",
    evidence: 'documented (`events`, field `id`)',
    expected: [400, 400, 400, 400, 200],
    async play(hand) {
      const ids = ['abcd', 'a'.repeat(1_025), `${hand.id()}w`, hand.id().toUpperCase(), hand.id().slice(-12)];
      return Promise.all(ids.map(async (id) => (await insert(hand, { id })).status));
    },
  },
  {
    title: 'an insert never looks for conflicts',
    evidence: 'documented: no parameter asks for it, and no error of it is listed',
    expected: [200, 200],
    play: async (hand) => [(await insert(hand)).status, (await insert(hand)).status],
  },
  {
    title: 'a change whose `If-Match` is out of date is 412 `conditionNotMet`',
    evidence: 'documented (guide "Handle API errors")',
    expected: [200, [412, 'conditionNotMet']],
    async play(hand) {
      const { body } = await insert(hand);
      const change = (summary: string) =>
        hand.call('PATCH', `${EVENTS}/${String(body.id)}`, {
          body: { summary },
          headers: { 'If-Match': String(body.etag) },
        });
      return [(await change('First')).status, refusal(await change('Second'))];
    },
  },
  {
    title: 'a move changes `etag` and `updated`, and raises `sequence`',
    evidence: 'documented (`events`, fields `etag`, `updated` and `sequence`)',
    expected: { etag: true, updated: true, sequence: true },
    async play(hand) {
      const { body: before } = await insert(hand);
      const times = { start: { dateTime: hand.at('12:00') }, end: { dateTime: hand.at('13:00') } };
      const { body: after } = await hand.call('PATCH', `${EVENTS}/${String(before.id)}`, { body: times });
      return {
        etag: before.etag !== after.etag,
        updated: before.updated === after.updated || isLater(before.updated, after.updated),
        sequence: Number(after.sequence) > Number(before.sequence),
      };
    },
  },
  {
    title: 'a patch replaces the whole list of attendees',
    evidence: 'documented (`events.patch`: "Array fields, if specified, overwrite the existing arrays")',
    expected: ['b@guest.example.com'],
    async play(hand) {
      const { body } = await insert(hand, { attendees: [{ email: 'a@guest.example.com' }] });
      const change = { attendees: [{ email: 'b@guest.example.com' }] };
      const { body: after } = await hand.call('PATCH', `${EVENTS}/${String(body.id)}`, { body: change });
      return (after.attendees as { email: string }[]).map(({ email }) => email);
    },
  },
  {
    title: 'private properties come back to whoever reads the event from that calendar',
    evidence: 'documented (guide "Extended properties")',
    expected: { tandem_meeting_id: 'meet_check' },
    async play(hand) {
      const extendedProperties = { private: { tandem_meeting_id: 'meet_check' } };
      const { body } = await insert(hand, { extendedProperties });
      const { body: read } = await hand.call('GET', `${EVENTS}/${String(body.id)}`);
      return (read.extendedProperties as { private?: object } | undefined)?.private;
    },
  },
  {
    title: 'a Meet link is made only with `conferenceDataVersion=1`; without it the request is dropped silently',
    evidence: 'documented (`events.insert`, parameter `conferenceDataVersion`)',
    expected: [200, false, 200, true],
    async play(hand) {
      const createRequest = { requestId: hand.id(), conferenceSolutionKey: { type: 'hangoutsMeet' } };
      const conferenceData = { createRequest };
      const without = await insert(hand, { conferenceData });
      const version = await insert(hand, { conferenceData }, { conferenceDataVersion: '1' });
      const isAsked = ({ body }: Answer) => body.conferenceData !== undefined;
      return [without.status, isAsked(without), version.status, isAsked(version)];
    },
  },
];
