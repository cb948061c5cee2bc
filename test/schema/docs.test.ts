import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * What lets a query that touches a person be asked, by its file in `schema` and, where a file answers to more than one,
 * its reads. "Now" is a connection to the platform that asks which has not ended.
 */
const WHO_SEES: Readonly<Record<string, Readonly<Record<string, readonly string[] | 'all'>>>> = {
  // Zone, hours, rules, weights, busy times, status, last sync; what people change on the organizer's calendar.
  'a connection now': {
    'access/people.ts': ['listConnectedPeople', 'listLiveMeetingTimes'],
    'access/busy-snapshots.ts': 'all',
    'access/connections-list.ts': [
      'listConnections',
      'listConnectedUsers',
      'selectConnection',
      'findConnectedUser',
      'countConnections',
      'countReauthorizations',
    ],
    'access/users-find.ts': ['findUserStatus'],
    'access/learning.ts': ['selectWeights', 'listTaught', 'listTaughtByPlatform'],
    'meetings/holds.ts': 'all',
    'meetings/follow.ts': 'all',
    'access/upcoming.ts': 'all',
    'meetings/event-answers.ts': 'all',
  },
  // The zone of a meeting or an offer, and what else the platform knows of a guest.
  'a connection now, or what a guest gave': {
    'meetings/life.ts': ['listZonesOfMeeting'],
    'meetings/change.ts': ['selectSnapshot', 'findSnapshot', 'listMeetingPeople'],
    'meetings/proposals-page.ts': 'all',
    'meetings/proposals-list.ts': 'all',
  },
  // Its meetings with their answers, its jobs, and that a person was ever connected to it or is its guest.
  "the platform's own rows": {
    'meetings/life.ts': ['selectJobOfMeeting', 'selectReadingOfMeeting', 'listReplacedMeetings'],
    'meetings/conflict.ts': 'all',
    'access/people.ts': ['listPairTimes'],
    'meetings/list.ts': ['findShownMeeting', 'listMeetings', 'listUserMeetings', 'countUserMeetings'],
    'access/people-guest.ts': ['selectKnown'],
    'meetings/figure.ts': 'all',
    'meetings/meeting-months.ts': 'all',
  },
  // That the access ended, and why; of what another platform did, no more than that.
  'the connection that ended': { 'delivery/deliveries-insert.ts': 'all', 'access/audit-log.ts': 'all' },
  "the person's own session or key": {
    'meetings/own.ts': 'all',
    'meetings/proposals-held.ts': 'all',
    'meetings/list.ts': ['listMeetingsWith'],
    'access/connections-list.ts': ['listUserConnections'],
    'access/learning.ts': ['listLearning', 'findLearning'],
    'access/users-find.ts': ['selectUser', 'selectHabits', 'findWholeUser'],
    'access/people.ts': ['listOwnPerson'],
  },
  'nobody, because it writes or locks': {
    'upkeep/people-connected-guest.ts': 'all',
    'meetings/holds-access.ts': 'all',
    'meetings/reserve.ts': 'all',
    'meetings/finish.ts': 'all',
    'meetings/lease.ts': 'all',
    'meetings/pending-operations.ts': 'all',
    'meetings/proposals-accept.ts': 'all',
    'meetings/proposals-end.ts': 'all',
    'meetings/proposals-insert.ts': 'all',
    'meetings/proposals-lost.ts': 'all',
    'meetings/proposals-move.ts': 'all',
    'access/connections-last-used.ts': 'all',
  },
  "the person's page, key and consent": {
    'access/agent-codes.ts': 'all',
    'access/api-keys-masked.ts': 'all',
    'access/api-keys-owner.ts': 'all',
    'access/api-keys-replace.ts': 'all',
    'access/sessions.ts': 'all',
    'access/connections-connect.ts': 'all',
    'access/users-identity.ts': 'all',
    'access/users-preferences.ts': 'all',
    'upkeep/users-erase.ts': 'all',
    'access/standing-rules.ts': 'all',
  },
  'the reading of calendars': {
    'access/calendar-accounts-blocking.ts': 'all',
    'access/calendar-accounts-lease.ts': 'all',
    'access/calendar-accounts-refresh.ts': 'all',
    'access/watch-channels.ts': 'all',
    'access/revocations.ts': 'all',
    'upkeep/sealed.ts': 'all',
  },
  'operators and timers': {
    'upkeep/operators-find.ts': 'all',
    'access/operators-platform.ts': 'all',
    'upkeep/retention.ts': 'all',
  },
};

/** The tables of people and of what belongs to them, under the names that queries use. */
const OF_PERSON =
  /\b(?:users|connections|calendarAccounts|meetingPeople|holds|standingRules|busySnapshots|meeting_people)\b/;

test('every text that only the documentation shows is marked, so that the Worker does not carry it', () => {
  const unmarked = globSync('schema/api/**/*.ts').flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /(?:\.describe\(\s*(?!\s|docs\()|^ {2}(?:summary|description):\s*['"`]).*$/gm,
      ),
    ].map(([text]) => `${file}: ${text}`),
  );
  expect(unmarked).toEqual([]);
});

const touching = globSync('schema/{access,answers,delivery,meetings,upkeep}/*.ts')
  .map((file) => ({ file: file.slice('schema/'.length), code: readFileSync(file, 'utf8') }))
  .filter(({ code }) => OF_PERSON.test(code.replaceAll(/\/\*[\s\S]*?\*\//g, '')));

const said = Object.values(WHO_SEES).flatMap((files) => Object.entries(files));

test('every file with queries that touch a person says what lets them be asked', () => {
  expect(touching.length).toBeGreaterThan(50);
  expect(touching.filter(({ file }) => !said.some(([one]) => one === file))).toEqual([]);
});

test('and so does every read of a file that does not say one thing for all', () => {
  const reads = touching
    .filter(({ file }) => !said.some(([one, names]) => one === file && names === 'all'))
    .flatMap(({ file, code }) =>
      [...code.matchAll(/^export (?:const|async function|function) ((?:list|find|select|count|sum|search)\w+)/gm)].map(
        ([, name = '']) => ({ file, name }),
      ),
    );
  expect(reads.length).toBeGreaterThan(20);
  const named = said.flatMap(([file, names]) => (names === 'all' ? [] : names.map((name) => `${file} ${name}`)));
  expect(reads.map(({ file, name }) => `${file} ${name}`).sort()).toEqual(named.sort());
});

test('no file is named that is not there', () => {
  const there = globSync('schema/*/*.ts').map((file) => file.slice('schema/'.length));
  expect(said.filter(([file]) => !there.includes(file))).toEqual([]);
});
