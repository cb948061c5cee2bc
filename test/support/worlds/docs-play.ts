import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { CASES } from '../../local/cases.ts';
import { busyTimes, PEOPLE } from '../../local/seed.ts';
import { compareAnswer, shownJson } from '../checks/shown-answer.ts';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform } from '../people/factories.ts';
import { strangersAddress } from '../people/proposing.ts';
import { type CodeBlock, codeAt, inShell, isCall, isTaken, type Ran, type Runner } from './docs-blocks.ts';
import { world } from './world.ts';

const TURNS = 12;

/**
 * Plays a page from top to bottom in a language, as somebody who pastes one block after the other. Each answer must fit
 * what the page shows of it. A text that turns out to be another, such as an ID, takes the shown one's place from there on.
 */
export async function play(path: string, language: 'sh' | 'js' | 'python', run: Runner): Promise<void> {
  const blocks = await codeAt(path);
  const platform = await freshPlatform();
  const page = blocks.flatMap(({ codes }) => [...codes.values()]).join('\n');
  const names = await peopleOf(page, platform);
  const env = { TANDEM_API_KEY: platform.secret_key, TANDEM_URL: world.baseUrl, TANDEM_WORLD: world.worldUrl };
  const reader: Reader = { platform, names: { ...names, ...HOSTS }, env };
  await PREPARED[path]?.(reader);
  const folder = await projectOf(platform);
  /** The last program of the page, which a block without imports continues. */
  let program = '';
  for (const [at, block] of blocks.entries()) {
    const code = block.codes.get(language) ?? block.codes.get('sh');
    if (code === undefined || (!isCall(block) && isTaken(path, code))) continue;
    const next = blocks[at + 1];
    const shown = next?.isUnderCode === true && next.codes.has('json') ? next : undefined;
    const isFragment = language === 'js' && !isCall(block) && block.codes.has('js') && !/^import /m.test(code);
    if (/^import /m.test(code)) program = code;
    const isShell = !isCall(block) && (language === 'sh' || !block.codes.has(language));
    const runs = isShell ? inShell(folder) : run;
    const whole = isFragment ? `${program}\n${code}` : code;
    await fits(reader, { code: whole, shown, runs, isFacts: language === 'js' });
  }
  await rm(folder, { recursive: true });
}

/** Makes the folder of somebody who plays a page, with the keys that a local Tandem writes down. */
async function projectOf(platform: TestPlatform): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tandem-docs-'));
  await mkdir(join(folder, '.local'));
  await writeFile(join(folder, '.local/stack.json'), JSON.stringify({ platform, world_url: world.worldUrl }));
  return folder;
}

/** Addresses of the examples, each with one that this world knows. */
const HOSTS = {
  'https://acme.com/hooks/tandem': 'https://inbox.platform.test/docs',
  'http://localhost:3000/hooks/tandem': 'https://inbox.platform.test/docs',
};

interface Step {
  code: string;
  shown: CodeBlock | undefined;
  runs: Runner;
  /** True if an error is printed as facts, in whatever form it was sent. */
  isFacts: boolean;
}

/** Runs a block until its answer fits: what takes a moment is asked for again, as the page says. */
async function fits({ platform, names, env }: Reader, { code, shown, runs, isFacts }: Step): Promise<void> {
  const translated = (text: string) =>
    Object.entries(names).reduce((all, [name, other]) => all.replaceAll(name, other), text);
  const status = shown?.info === '' || shown === undefined ? 200 : Number(shown.info);
  for (let turn = 0; ; turn++) {
    const ran = await runs(onPlatform(translated(code), platform), {
      ...env,
      TANDEM_API_KEY: env.TANDEM_API_KEY ?? platform.secret_key,
    });
    const answer = shown && shownJson(translated(shown.codes.get('json') ?? ''));
    const { wrong, texts } =
      answer === undefined ? NOTHING : compareAnswer(status >= 400 && isFacts ? nested(answer) : answer, ran.body);
    const isRight = status < 300 ? ran.status >= 200 && ran.status < 300 : [0, status].includes(ran.status);
    if (isRight && wrong.length === 0) {
      for (const [name, other] of texts) names[name] = other;
      return;
    }
    if (turn === TURNS || !isRead(code) || !isRight) return void expect({ wrong, ...ran }, code).toEqual({});
    await passTime(turn);
  }
}

/** Names the platform to which the world connects a person, because it has many here and takes its first one. */
const onPlatform = (code: string, { id }: TestPlatform) =>
  /TANDEM_WORLD\b.*\/connect\b/.test(code)
    ? code
        .replace('"email": "', `"platform_id": "${id}", "email": "`)
        .replace(" email: '", ` platform_id: '${id}', email: '`)
    : code;

/** Returns an error of either format as one that has all it says under `error`. */
function nested(answer: unknown): unknown {
  const { error, ...rest } = answer as { error: unknown };
  return typeof error === 'string' ? { error: { message: error, ...rest } } : answer;
}

const NOTHING = { wrong: [], texts: new Map<string, string>() };
const isRead = (code: string) => !/ -d | -X |body:|data=|tandem\.(?!get|list)/.test(code);

/** Lets the queue deliver, and after the first turn the clock go on. */
async function passTime(turn: number): Promise<void> {
  await world.qstash.deliverDue();
  if (turn === 0) return;
  await world.advance(70_000);
  await world.worker.ready();
  await world.worker.runScheduled(world.clock.now());
}

export type { Ran };

/** A page of the documentation while it is played. */
interface Reader {
  platform: TestPlatform;
  /** Texts of the page, each with the one of this world that takes its place. */
  names: Record<string, string>;
  /** Environment variables of the code. */
  env: Record<string, string>;
}

/** What a page of the documentation takes for given, by its path. */
const PREPARED: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
  '/docs/authentication': async ({ platform, names, env }) => {
    env.TANDEM_USER_KEY = (await world.connect(platform, names['ana.silva@demo.test'] ?? '')).api_key;
  },
};

/** Person who is not connected when a page of the documentation begins. */
const NEW = 'you@demo.test';

/**
 * Gives a platform people of its own in the place of those of the local world, with the same time zones and busy times,
 * and of the further ones whom a page names. Returns their addresses by those of the local world.
 */
export async function peopleOf(page: string, platform: TestPlatform): Promise<Record<string, string>> {
  const names: Record<string, string> = {};
  const named = [...page.matchAll(/[\w.]+@demo\.test/g)].map(([email]) => email);
  for (const email of [...PEOPLE.map((person) => person.email), ...named])
    names[email] ??= await personFor(email, platform);
  return names;
}

async function personFor(email: string, platform: TestPlatform): Promise<string> {
  const [name = ''] = email.split('@');
  const found = CASES.find((one) => one.email === email);
  if (found?.isGuest === true) return strangersAddress();
  if (email === NEW) return freshPerson({ name }).email;
  const seeded = PEOPLE.find((one) => one.email === email);
  const timezone = seeded?.timezone ?? (typeof found?.timezone === 'string' ? found.timezone : 'UTC');
  const person = await connectedPerson(platform, { name, timezone });
  if (seeded !== undefined) world.google.addBusy(busyTimes(person.email, timezone, seeded.busy, world.clock.now()));
  await found?.arrange?.(world, platform, person.email);
  return person.email;
}
