import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const WHERE_THE_WIRE_IS = [
  'lib/adapters/**',
  'lib/client/**',
  'lib/tools/**',
  'lib/meetings/protocol/kept-answer.ts',
  '**/node_modules/**',
];

const VALUES = 'a table keyed by values of the API, such as the contexts of a meeting';
const PARTS = 'parts of merit, with the names under which an explanation lists them';
const STORED = 'JSON as Postgres stores it; another spelling would make rows unreadable';
const MESSAGE = 'a message to the queue, which the Worker that is deployed next may receive';
const FACTS = 'a row with the names that the command line prints';
const MODEL = 'the JSON that the language model is asked for';
const VERDICTS = 'a table keyed by the verdicts that a reading has';
const DOCUMENT = 'the document in which an agent describes itself, with the names of RFC 7591';
const SNIPPET = 'copied into receivers, so it checks an event with the names that arrive';

const EXCEPTIONS: Record<string, string> = {
  'lib/engine/rank/contexts.ts': VALUES,
  'lib/engine/rank/preferences.ts': VALUES,
  'lib/engine/rank/merit.ts': PARTS,
  'lib/engine/rank/parts.ts': PARTS,
  'lib/engine/rank/spread.ts': PARTS,
  'lib/words/clauses.ts': VALUES,
  'lib/words/asked.ts': VALUES,
  'lib/words/understood.ts': VERDICTS,
  'lib/webhooks/deliver.ts': VALUES,
  'lib/meetings/protocol/intents.ts': STORED,
  'lib/kit/key-regeneration.ts': STORED,
  'lib/people/preferences.ts': STORED,
  'lib/platforms/dashboard-session.ts': STORED,
  'lib/platforms/settings.ts': STORED,
  'lib/webhooks/endpoint.ts': STORED,
  'lib/meetings/protocol/proposal-link.ts': STORED,
  'lib/person/person.ts': STORED,
  'lib/meetings/jobs/dashboard.ts': STORED,
  'lib/meetings/jobs/job.ts': MESSAGE,
  'lib/meetings/batches/batch.ts': MESSAGE,
  'lib/meetings/follow/sync-calendar.ts': MESSAGE,
  'lib/webhooks/outbox.ts': MESSAGE,
  'lib/people/operator-commands.ts': FACTS,
  'lib/reader/model/answer.ts': MODEL,
  'lib/reader/model/check.ts': MODEL,
  'lib/people/agents/client-document.ts': DOCUMENT,
  'lib/webhooks/verify.ts': SNIPPET,
};

/** Comments, texts and the fields of log lines, in which snake_case is no name of ours. */
const NOT_NAMES = [
  /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g,
  /\b(?:ctx\.)?log\([\s\S]*?\);/g,
];

const hasWireNames = (source: string) =>
  /\b[a-z][a-z\d]*(?:_[a-z\d]+)+\b/.test(NOT_NAMES.reduce((code, pattern) => code.replace(pattern, "''"), source));

test('the wire’s names stop before lib', () => {
  const files = globSync('lib/**/*.ts', { exclude: WHERE_THE_WIRE_IS });
  expect(files.filter((file) => hasWireNames(readFileSync(file, 'utf8'))).sort()).toEqual(
    Object.keys(EXCEPTIONS).sort(),
  );
});

test.each([
  ['a field', 'const answer = { meeting_id: id };', true],
  ['a field that is read', 'return slot.start_time;', true],
  ['a shorthand', 'const answer = { limit, resets_at };', true],
  ['a text', "throw new AppError('invalid_request', `This is a user_id.`);", false],
  ['a comment', '/** Sent as `meeting_id`. */ // not start_time', false],
  ['the field of a log line', "ctx.log('warn', 'left to the sweep', { job_id: id });", false],
  ['a constant', 'const LONGEST_DAYS = 90;', false],
])('%s', (_name, source, isFound) => expect(hasWireNames(source)).toBe(isFound));
