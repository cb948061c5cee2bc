import { describe, expect, test } from 'vitest';
import { answerFaults, keepContract, methodOf, parseMask, requestFaults } from './contract.ts';

const ROOT = 'https://www.googleapis.com/calendar/v3';
const EVENTS = `${ROOT}/calendars/primary/events`;

const ask = (method: string, url: string, body?: object) =>
  requestFaults({ method, url }, body === undefined ? '' : JSON.stringify(body));

test('a path without a placeholder wins over one with', () => {
  expect(methodOf({ method: 'POST', url: `${EVENTS}/watch` })?.name).toBe('events.watch');
  expect(methodOf({ method: 'GET', url: `${EVENTS}/watch` })?.name).toBe('events.get');
});

describe('a request that differs', () => {
  test.each([
    ['an unknown method', 'PUT', `${ROOT}/freeBusy`, undefined, 'no method serves PUT /calendar/v3/freeBusy'],
    ['an unknown parameter', 'GET', `${EVENTS}?singleEvent=true`, undefined, 'the method has no parameter singleEvent'],
    ['a number below the least', 'GET', `${EVENTS}?maxResults=0`, undefined, 'maxResults cannot be 0'],
    ['a flag that is none', 'GET', `${EVENTS}?singleEvents=1`, undefined, 'singleEvents cannot be 1'],
    ['a value that is not listed', 'DELETE', `${EVENTS}/e1?sendUpdates=some`, undefined, 'sendUpdates cannot be some'],
    ['a value given twice', 'GET', `${EVENTS}?q=a&q=b`, undefined, 'q is given more than once'],
    ['an unknown inner field', 'POST', EVENTS, { start: { when: 'x' } }, 'start.when is unknown'],
    ['a wrong type', 'POST', EVENTS, { attendees: [{ email: 1 }] }, 'attendees[0].email is number, not string'],
    ['a time that is none', 'POST', EVENTS, { start: { dateTime: 'noon' } }, 'start.dateTime is no date-time: noon'],
    [
      'a field that cannot be asked for',
      'GET',
      `${EVENTS}?fields=items(name)`,
      undefined,
      'Invalid field selection name',
    ],
    ['a body where none belongs', 'DELETE', `${EVENTS}/e1`, {}, 'there is a body, and the method has none'],
  ])('%s', (_name, method, url, body, fault) => {
    expect(ask(method, url, body)).toEqual([fault]);
  });

  test('a body that is no JSON', () => {
    expect(requestFaults({ method: 'POST', url: EVENTS }, '{')).toEqual(['the body is no JSON']);
  });

  test('null removes a field in a request', () => {
    expect(ask('PATCH', `${EVENTS}/e1`, { start: { date: null, dateTime: '2026-03-10T10:00:00' } })).toEqual([]);
  });
});

describe('an answer that differs', () => {
  const answer = (body: object, status = 200) =>
    answerFaults({ method: 'GET', url: `${EVENTS}/e1` }, status, JSON.stringify(body));

  test.each([
    ['an unknown field', { meetLink: 'x' }, 'meetLink is unknown'],
    ['a null', { summary: null }, 'summary is null, not string'],
    ['a fraction', { sequence: 1.5 }, 'sequence is number, not integer'],
    ['a time without an offset', { updated: '2026-03-10T10:00:00' }, 'updated is no date-time: 2026-03-10T10:00:00'],
  ])('%s', (_name, body, fault) => expect(answer(body)).toEqual([fault]));

  test('an error without its form', () => {
    expect(answer({ message: 'no' }, 404)).toEqual(['the error has not the form of an error']);
    const error = { code: 404, message: 'Not Found', errors: [{ domain: 'global', reason: 'notFound', message: '-' }] };
    expect(answer({ error }, 404)).toEqual([]);
  });
});

describe('holding a call to the contract', () => {
  async function kept(url: string, answer: () => Response) {
    const lines: string[] = [];
    const report = (line: string) => lines.push(line);
    const response = await keepContract(new Request(url), { serve: answer, report });
    return { status: response.status, lines };
  }

  test('reports what differs, and answers 599', async () => {
    expect(await kept(`${EVENTS}/e1?q=x`, () => Response.json({ name: 'x' }))).toEqual({
      status: 599,
      lines: [
        'google: GET /calendar/v3/calendars/primary/events/e1?q=x: the method has no parameter q',
        'google: GET /calendar/v3/calendars/primary/events/e1?q=x: answer 200: name is unknown',
      ],
    });
  });
});

test.each(['', 'a(', 'a(b', 'a)', 'a,,b', 'a/'])('"%s" is a malformed selection of fields', (fields) => {
  expect(() => parseMask(fields)).toThrow('Invalid field selection');
});
