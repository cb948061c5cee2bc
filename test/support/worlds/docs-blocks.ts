import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { type Block, blocksOf } from '../../../functions/pages/docs/markdown.ts';
import { decode } from '../../local/browser.ts';
import { CASES } from '../../local/cases.ts';
import { busyTimes, PEOPLE } from '../../local/seed.ts';
import { compareAnswer, onlyOne, shownJson } from '../checks/readme-blocks.ts';
import { connectedPerson, freshPerson, freshPlatform, type TestPlatform } from '../people/factories.ts';
import { pass } from '../people/meetings.ts';
import { strangersAddress } from '../people/proposing.ts';
import { createClient, parsed } from './client.ts';
import { world } from './world.ts';

/** A block of code on a page, by its language. Blocks that the page shows as tabs are one. */
export interface CodeBlock {
  codes: ReadonlyMap<string, string>;
  /** What stands after the language, such as the status of an answer. */
  info: string;
  /** True if the block stands right under the one before, with no words between. */
  isUnderCode: boolean;
}

const read = async (path: string) => (await createClient(world.baseUrl).send('GET', path)).text;

/** Returns the paths of the pages that are written by hand, or of the operations' pages. */
export async function docsPaths(part: 'Docs' | 'Operations' = 'Docs'): Promise<string[]> {
  const [, listed = ''] = (await read('/llms.txt')).split(`## ${part}\n`);
  const [section = ''] = listed.split('\n## ');
  return [...section.matchAll(/\]\(https?:\/\/[^/]+(\/docs\S*?)\.md\)/g)].map(([, path = '']) => path);
}

export const partsAt = async (path: string): Promise<Block[]> => blocksOf(path, await read(`${path}.md`));

/** Returns a page's blocks of code in order. The first page of the service has only calls, and no Markdown. */
export async function codeAt(path: string): Promise<CodeBlock[]> {
  if (path === '/')
    return tabsOf(await read(path)).map((tabs) => ({
      codes: new Map(Object.entries(tabs)),
      info: '',
      isUnderCode: false,
    }));
  const parts = await partsAt(path);
  return parts.flatMap((part, at) => {
    if (part.kind !== 'code') return [];
    const [info = ''] = part.fences.map(([language]) => language.split(' ').slice(1).join(' '));
    const codes = new Map(part.fences.map(([language, code]) => [language.split(' ')[0] ?? '', code]));
    return [{ codes, info, isUnderCode: parts[at - 1]?.kind === 'code' }];
  });
}

export const isCall = ({ codes }: CodeBlock) => codes.has('python') && (codes.get('sh') ?? '').startsWith('curl ');

/**
 * Returns the only code on a page that contains `part` and is no call. A test that runs such code takes it from here:
 * as-written.test.ts reads these calls to know which blocks are run.
 */
export async function blockOf(path: string, part: string): Promise<string> {
  const blocks = (await codeAt(path)).filter((block) => !isCall(block));
  return onlyOne(
    path,
    part,
    blocks.flatMap(({ codes }) => [...codes.values()]),
  );
}

/** Blocks that a test takes by `blockOf` or `readmeBlock`, in order to run them. */
const taken = globSync('test/**/*.ts')
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(?:blockOf|readmeBlock)\('([^']+)', '([^']+)'\)/g)])
  .map(([, page = '', part = '']) => ({ page, part }));

export const isTaken = (page: string, code: string) =>
  taken.some((one) => one.page === page && code.includes(one.part));

/** Returns a page's code blocks that have tabs, each with its text by language. */
export const tabsOf = (html: string): Record<string, string>[] =>
  [...html.matchAll(/<form class="sample tabs".*?<\/form>/gs)].map(([form]) =>
    Object.fromEntries(
      [...form.matchAll(/data-language="(\w+)"><code>(.*?)<\/code>/gs)].map(([, name, text = '']) => [
        name,
        decode(text),
      ]),
    ),
  );

/** Response of a call that the documentation shows. An error that code prints without its status has the status 0. */
interface Ran {
  code: string;
  status: number;
  text: string;
  body: unknown;
}

export type Runner = (code: string, env: Record<string, string>) => Promise<Ran>;

/** Sends what a curl call of the documentation says, without the program curl. */
export const asCurl: Runner = async (code, env) => {
  const joined = code.replaceAll('\\\n', '').replace(/"\$(\w+)(\/[^"]*)"/, (_, name, path) => `${env[name]}${path}`);
  const { pathname, search, origin } = new URL(/https?:\/\/[^ ']+/.exec(joined)?.[0] ?? '');
  expect([world.baseUrl, world.worldUrl]).toContain(origin);
  const body = / -d '(.*)'/s.exec(joined)?.[1]?.replaceAll("'\\''", "'");
  const headers = Object.fromEntries(
    [...joined.matchAll(/-H (['"])([^:]+): (.*?)\1/g)].map(([, , name = '', value = '']) => [
      name,
      value.replace(/\$(\w+)/, (_, key: string) => env[key] ?? ''),
    ]),
  );
  const method = /-X (\w+)/.exec(joined)?.[1] ?? (body === undefined ? 'GET' : 'POST');
  const { status, text, body: answer } = await createClient(origin).send(method, pathname + search, body, { headers });
  return { code, status, text, body: answer };
};

const jsonOrText = (text: unknown): unknown => parsed(String(text)) ?? text;

/** Makes `console.log` print JSON, so that nothing deep in a response is cut. */
const AS_JSON = `data:text/javascript,${encodeURIComponent(
  'const { log } = console; console.log = (...all) => log(JSON.stringify(all.length === 1 ? all[0] : all));',
)}`;

/** Reads what code printed: an answer, or an error in the form of its language. */
function said(text: string): Pick<Ran, 'status' | 'body'> {
  const [, status, error] = /^([45]\d\d) (\{.*\})\s*$/s.exec(text) ?? [];
  if (status !== undefined) return { status: Number(status), body: jsonOrText(error) };
  const body = jsonOrText(jsonOrText(text));
  if (Array.isArray(body) && typeof body[0] === 'number') {
    const [refused, code, message, facts] = body as [number, string, string, object];
    return { status: refused, body: { error: { code, message, ...facts } } };
  }
  return { status: isError(body) ? 0 : 200, body };
}

const isError = (body: unknown) => typeof body === 'object' && body !== null && 'error' in body;

const run = promisify(execFile);

const printed =
  (program: string, argsFor: (code: string) => string[]): Runner =>
  async (code, env) => {
    const { stdout, stderr } = await run(program, argsFor(code), {
      env: { PATH: process.env.PATH, ...env },
      // The world's list of deliveries grows with each suite before this one, past Node's bound of 1 MiB.
      maxBuffer: Number.POSITIVE_INFINITY,
    }).catch((error: { code?: unknown; stdout?: string; stderr?: string }) => {
      if (error.code === 'ENOENT') throw new Error(`This suite needs ${program}, which is not on this machine.`);
      return { stdout: error.stdout ?? '', stderr: error.stderr ?? '' };
    });
    expect(stderr, code).toBe('');
    return { code, text: stdout, ...said(stdout) };
  };

export const asNode = printed(process.execPath, (code) => ['--import', AS_JSON, '--input-type=module', '-e', code]);
export const asPython = printed('python3', (code) => ['-c', code]);
/** Runs curl itself, in a shell as a reader would. */
export const asShell = printed('sh', (code) => ['-c', code]);

/** Returns a runner for blocks of the shell: they share a folder, and the variables that each sets. */
const inShell =
  (folder: string): Runner =>
  async (code, env) => {
    const kept = join(folder, '.variables');
    const script = `touch ${kept}\n. ${kept}\nset -a\n${code}\nexport -p > ${kept}`;
    const { stdout } = await run('sh', ['-ec', script], {
      cwd: folder,
      env: { PATH: process.env.PATH, ...env },
      maxBuffer: Number.POSITIVE_INFINITY,
    });
    const body = jsonOrText(stdout);
    return { code, status: isError(body) ? 0 : 200, text: stdout, body };
  };

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
    await (turn === 0 ? world.qstash.deliverDue() : pass(70));
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
