import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { randomIds } from '../../lib/kit/ids.ts';
import { createKeys } from '../../lib/kit/keys.ts';
import { type Answer, COMMANDS, type Row, usage } from './admin/commands.ts';
import { end, readEnv, readFlags, refuse, runCommand, UsageError } from './command.ts';
import { withDatabase } from './database.ts';

const [TEXT, YES] = [{ type: 'string' }, { type: 'boolean', default: false }] as const;
const FLAGS = { json: YES, yes: YES, as: TEXT, platform: TEXT, 'keep-old-for-hours': TEXT };

/** Ends the program without such a command, and throws `UsageError` for another number of arguments. */
function readCommand(words: string[]) {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const command = COMMANDS[name];
    const args = words.slice(count);
    if (command === undefined || words.length < count) continue;
    if (args.length === command.args.length) return { name, command, args };
    throw new UsageError(
      `This command needs other arguments. Call it as: npm run admin -- ${[name, ...command.args].join(' ')}`,
    );
  }
  return end(refuse(words.length === 0 ? 'Name a command.' : `There is no command "${words.join(' ')}".`, usage()));
}

function readHours(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^([1-9]|[1-6]\d|7[0-2])$/.test(text))
    throw new UsageError('--keep-old-for-hours must be a whole number from 1 to 72.');
  return Number(text);
}

/** Asks the operator at the terminal whether to go on. Throws if there is no terminal to ask at. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new UsageError(
      `${question} Nothing was changed, because nobody could answer this question. Add --yes to answer yes.`,
    );
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await reader.question(`${question} [y/N] `);
  reader.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function main() {
  const { values, words } = readFlags(usage(), FLAGS, { words: true });
  const { command, args } = readCommand(words);
  const given = { args, platform: values.platform, keepOldForHours: readHours(values['keep-old-for-hours']) };
  const url = readEnv('DATABASE_URL');
  // KEY_CHECK_SECRET signs the checksum at the end of a new API key, so only a command that makes a key needs it.
  const keys = createKeys(randomIds, command.makesKey ? readEnv('KEY_CHECK_SECRET') : '');
  if (command.asks !== undefined && !values.yes && !(await confirm(command.asks(given)))) {
    console.error('Nothing was changed.');
    process.exitCode = 1;
    return;
  }
  const actor = { kind: 'operator', id: values.as ?? userInfo().username } as const;
  const clock = { now: () => Date.now() };
  const requestId = `admin_${randomUUID()}`;
  const answer = await withDatabase(url, (db) =>
    command.run({ db, clock, ids: randomIds, keys, actor, network: null, requestId }, given),
  );
  console.log(print(answer, { json: values.json }));
}

runCommand(main, 'The command failed. It changed either everything that it had to change, or nothing:');

const text = (value: Row[string]) => (value === null || value === undefined ? '–' : String(value));

/** Prints rows as a table, the fields of one object on a line each, or sentences, or JSON with `json`. */
function print(answer: Answer, { json }: { json: boolean }): string {
  const one = 'facts' in answer ? answer.facts : answer;
  if (json) return JSON.stringify('rows' in answer ? answer.rows : one, null, 2);
  if ('said' in answer) return answer.key === undefined ? answer.said : `${answer.key}\n${answer.said}`;
  if ('facts' in answer) return columns(Object.entries(answer.facts).map(([name, value]) => [name, text(value)]));
  const [first] = answer.rows;
  if (first === undefined) return answer.none ?? 'There is none.';
  const names = Object.keys(first);
  return columns([names, ...answer.rows.map((row) => names.map((name) => text(row[name])))]);
}

function columns(lines: string[][]): string {
  const widths = lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
