import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { columns } from '../../lib/client/cli/show.ts';
import type { Auditing } from '../../lib/kit/change.ts';
import type { Ctx } from '../../lib/kit/context.ts';
import { AppError } from '../../lib/kit/errors.ts';
import { createKeys, randomIds } from '../../lib/kit/ids.ts';
import { disconnectPerson, erasePerson, showPerson } from '../../lib/people/operator-commands.ts';
import * as platforms from '../../lib/platforms/operator-commands.ts';
import { findPlatformFacts, listPlatforms } from '../../schema/access/platforms.ts';
import { findAnything, listPending, searchUsers } from '../../schema/upkeep/operators-find.ts';
import { end, readEnv, readFlags, refuse, runCommand, UsageError } from './command.ts';
import { withDatabase } from './database.ts';

const [TEXT, YES] = [{ type: 'string' }, { type: 'boolean', default: false }] as const;
const FLAGS = { json: YES, yes: YES, as: TEXT, platform: TEXT, 'keep-old-for-hours': TEXT };

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

const text = (value: Row[string]) => (value === null || value === undefined ? '–' : String(value));

function print(answer: Answer, { json }: { json: boolean }): string {
  const one = 'facts' in answer ? answer.facts : answer;
  if (json) return JSON.stringify('rows' in answer ? answer.rows : one, null, 2);
  if ('said' in answer) return answer.key === undefined ? answer.said : `${answer.key}\n${answer.said}`;
  if ('facts' in answer) return table(Object.entries(answer.facts).map(([name, value]) => [name, text(value)]));
  const [first] = answer.rows;
  if (first === undefined) return answer.none ?? 'There is none.';
  const names = Object.keys(first);
  return table([names, ...answer.rows.map((row) => names.map((name) => text(row[name])))]);
}

const table = (lines: string[][]) => columns(lines).join('\n');

type AdminCtx = Auditing & Pick<Ctx, 'keys'>;

type Answer = { rows: Row[]; none?: string } | { facts: Row } | { said: string; key?: string };
type Row = Record<string, string | number | boolean | null | undefined>;

type Given = { args: string[]; keepOldForHours: number | undefined; platform: string | undefined };

interface Command {
  args: string[];
  about: string;
  /** Question that the command asks the operator before it changes anything. Absent for a command that only reads. */
  asks?: (given: Given) => string;
  makesKey?: boolean;
  run(ctx: AdminCtx, given: Given): Promise<Answer>;
}

const iso = (instant: number | null) => (instant === null ? null : new Date(instant).toISOString());
const stateOf = ({ suspendedAt, endedAt }: { suspendedAt: number | null; endedAt: number | null }) => {
  if (endedAt !== null) return 'deleted';
  return suspendedAt === null ? 'active' : 'suspended';
};

async function afterwards(change: Promise<void>, said: string): Promise<Answer> {
  await change;
  return { said };
}

const MOST_PENDING = 200;

async function showPlatform(ctx: AdminCtx, platformId: string): Promise<Row> {
  const found = await findPlatformFacts(ctx.db, { platformId, now: ctx.clock.now() });
  if (found === undefined)
    throw new AppError(
      'not_found',
      `Tandem has no platform ${platformId}. "npm run admin -- platforms list" shows the IDs of all platforms.`,
    );
  const { createdAt, suspendedAt, endedAt, ...facts } = found;
  return {
    ...facts,
    state: stateOf(found),
    created_at: iso(createdAt),
    suspended_at: iso(suspendedAt),
    deleted_at: iso(endedAt),
  };
}

const COMMANDS: Record<string, Command> = {
  'platforms list': {
    args: [],
    about: 'every platform with its plan, people and meetings',
    run: async ({ db }) => ({
      rows: (await listPlatforms(db)).map((platform) => ({
        id: platform.id,
        name: platform.name,
        plan: platform.plan,
        state: stateOf(platform),
        people: platform.people,
        meetings: platform.meetings,
        created_at: iso(platform.createdAt),
      })),
    }),
  },
  'platforms show': {
    args: ['<platform id>'],
    about: 'one platform: its keys masked, its endpoint, its sessions, what waits',
    run: async (ctx, { args: [id = ''] }) => ({ facts: await showPlatform(ctx, id) }),
  },
  'platforms rename': {
    args: ['<platform id>', '<name>'],
    about: 'another name, which people see when it asks for access',
    asks: ({ args: [id, name] }) => `Rename ${id} to "${name}"?`,
    run: (ctx, { args: [id = '', name = ''] }) =>
      afterwards(platforms.renamePlatform(ctx, id, name), `${id} is now called ${name}.`),
  },
  'platforms plan': {
    args: ['<platform id>', '<plan>'],
    about: 'another plan, whose limits count at once',
    asks: ({ args: [id, plan] }) => `Put ${id} on the plan ${plan}?`,
    run: (ctx, { args: [id = '', plan = ''] }) =>
      afterwards(platforms.changePlan(ctx, id, plan), `${id} is on the plan ${plan}.`),
  },
  'platforms suspend': {
    args: ['<platform id>'],
    about: 'its calls are 403 platform_suspended, its sessions end, its jobs and webhooks wait',
    asks: ({ args: [id] }) => `Suspend ${id}? Tandem refuses the platform's API calls until you resume the platform.`,
    run: (ctx, { args: [id = ''] }) =>
      afterwards(platforms.suspendPlatform(ctx, id), `${id} is suspended. People can still open their own pages.`),
  },
  'platforms resume': {
    args: ['<platform id>'],
    about: 'lets a suspended platform work again',
    asks: ({ args: [id] }) => `Let ${id} work again?`,
    run: (ctx, { args: [id = ''] }) =>
      afterwards(
        platforms.resumePlatform(ctx, id),
        `${id} works again. The platform's waiting jobs and webhooks continue within a minute.`,
      ),
  },
  'platforms reissue-key': {
    args: ['<platform id>'],
    about: 'a new secret key, shown once; every former key and session ends [--keep-old-for-hours 1-72]',
    asks: ({ args: [id], keepOldForHours: hours }) =>
      `Make a new secret key for ${id}? ${hours === undefined ? 'Every former key is refused at once.' : `The current key works for ${hours} more hours.`}`,
    makesKey: true,
    async run(ctx, { args: [id = ''], keepOldForHours }) {
      const key = await platforms.reissueKey(ctx, id, keepOldForHours);
      return { said: 'Give this key to the platform now, because it is not shown again.', key };
    },
  },
  'platforms delete': {
    args: ['<platform id>'],
    about: 'revokes its keys, deletes its webhook, disconnects its people; meetings stay',
    asks: ({ args: [id] }) => `Delete ${id} for good? Its keys, webhook and connections cannot be brought back.`,
    async run(ctx, { args: [id = ''] }) {
      const people = await platforms.deletePlatform(ctx, id);
      return { said: `${id} is deleted. People disconnected: ${people}.` };
    },
  },
  'people find': {
    args: ['<part of an address>'],
    about: 'people, and guests of platforms, whose address contains the text',
    run: async ({ db }, { args: [text = ''] }) => ({ rows: await searchUsers(db, text) }),
  },
  'people show': {
    args: ['<address or id>'],
    about: 'one person or guest: platforms with access, keys masked, sessions',
    run: async (ctx, { args: [text = ''] }) => ({ facts: await showPerson(ctx, text) }),
  },
  'people disconnect': {
    args: ['<address or id>'],
    about: "ends every platform's access to the calendar, or one platform's [--platform <id>]",
    asks: ({ args: [text], platform = 'every platform' }) =>
      `End the access of ${platform} to the calendar of ${text}?`,
    run: (ctx, { args: [text = ''], platform }) =>
      afterwards(
        disconnectPerson(ctx, text, platform),
        'The access to the calendar has ended. Within a minute, Tandem sends the webhook events and revokes the access at Google.',
      ),
  },
  'people erase': {
    args: ['<address or id>'],
    about: 'deletes the account as if the person had asked for it; erases a guest from their meetings and proposals',
    asks: ({ args: [text] }) => `Erase ${text} for good? This cannot be undone.`,
    run: (ctx, { args: [text = ''] }) =>
      afterwards(
        erasePerson(ctx, text),
        "The person's data is deleted. Within a minute, Tandem sends the webhook events and revokes the access at Google, if there was any.",
      ),
  },
  find: {
    args: ['<request id, meeting, job, proposal, delivery, address>'],
    about: 'what has this id or address; a request id finds the changes it made',
    run: async ({ db }, { args: [text = ''] }) => ({
      rows: await findAnything(db, text),
      none: `Tandem has nothing with the ID or email address ${text}. The ID of a request that changed no key, session or setting is only in the logs.`,
    }),
  },
  pending: {
    args: [],
    about: 'what is unfinished, longest first, and why',
    run: async ({ db, clock }) => ({
      rows: await listPending(db, { now: clock.now(), limit: MOST_PENDING }),
      none: 'Nothing is unfinished.',
    }),
  },
};

const usage = (): string =>
  [
    'npm run admin -- <command> [--json] [--yes] [--as <your name>]',
    '',
    ...Object.entries(COMMANDS).map(([words, { args, about }]) => `  ${[words, ...args].join(' ')}\n      ${about}`),
    '',
    'A command that changes something asks first, unless you give --yes, and writes the audit log under your name.',
  ].join('\n');

runCommand(main, 'The command failed. It changed either everything that it had to change, or nothing:');
