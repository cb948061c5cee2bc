import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Example } from '../../../functions/openapi/examples/example.ts';
import { EXAMPLES } from '../../../functions/openapi/examples.ts';
import { AGENT_CONFIGS } from '../../../functions/pages/docs/agent-configs.ts';
import { RECEIVERS, VECTOR } from '../../../functions/pages/docs/receivers.ts';
import { TEST_EVENT } from '../../../schema/api/webhook-events/names.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import { readDocument } from '../../support/checks/openapi.ts';
import { NOT_RUN, READMES, readmeBlocks } from '../../support/checks/readme-blocks.ts';
import { docsPaths, pageAt, plainBlocks } from '../../support/worlds/docs-blocks.ts';
import { tabsOf } from '../../support/worlds/docs-code.ts';
import { STORIES } from '../../support/worlds/docs-stories.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

/** Blocks that a test takes by `blockOf` or `readmeBlock`, in order to run them. */
const taken = globSync('test/**/*.ts')
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\b(?:blockOf|readmeBlock)\('([^']+)', '([^']+)'\)/g)])
  .map(([, page = '', part = '']) => ({ page, part }));
const isTaken = (page: string, text: string) => taken.some((one) => one.page === page && text.includes(one.part));

const asJson = (value: unknown) => JSON.stringify(value);
const answers = Object.values(EXAMPLES as Record<string, Example>).flatMap(({ answer, others = [] }) =>
  [answer, ...others.map((other) => other.answer)].map(asJson),
);
const { webhooks } = readDocument();
const events = [...EVENT_TYPES, TEST_EVENT].map((type) =>
  asJson(webhooks[type]?.post.requestBody?.content?.['application/json']?.example),
);
/** Returns the JSON text of a block that shows data, and undefined for any other block. */
function dataOf(text: string): string | undefined {
  try {
    return asJson(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Blocks that belong to a list, each with the test that goes through the whole list. */
const LISTED: [test: string, page: RegExp, has: (text: string) => boolean][] = [
  ['test/functions/docs/openapi-examples.long.test.ts', /./, (text) => answers.includes(dataOf(text) ?? '-')],
  ['test/functions/docs/openapi-webhooks.test.ts', /^\/docs\/events$/, (text) => events.includes(dataOf(text) ?? '-')],
  ['test/lib/webhooks/snippets.long.test.ts', /^\/docs\/webhooks$/, (text) => dataOf(text) === asJson(VECTOR)],
  [
    'test/functions/docs/agents.test.ts',
    /^\/docs\/agents$/,
    (text) =>
      text === `${world.baseUrl}/mcp` ||
      AGENT_CONFIGS.some(({ config }) => asJson(config(`${world.baseUrl}/mcp`)) === dataOf(text)),
  ],
];

test('a test runs every code block of the home page, the guides and the reference', async () => {
  const left: string[] = [];
  let blocks = 0;
  for (const path of await docsPaths()) {
    const html = await pageAt(path);
    // reference-calls.long.test.ts runs the tabs of the reference. A story runs those of a guide, and leaves none out.
    for (const tabs of tabsOf(html)) {
      blocks += 1;
      const isRun = path.startsWith('/docs/reference/') || path in STORIES || asJson(tabs) === asJson(RECEIVERS);
      if (!isRun) left.push(`${path}: ${Object.values(tabs)[0]}`);
    }
    for (const text of plainBlocks(html)) {
      blocks += 1;
      if (isTaken(path, text)) continue;
      if (!LISTED.some(([, pages, has]) => pages.test(path) && has(text))) left.push(`${path}: ${text}`);
    }
  }
  expect(left).toEqual([]);
  expect(blocks).toBeGreaterThan(150);
});

test('a test runs every code block of the READMEs for customers', () => {
  const left = READMES.flatMap((page) =>
    readmeBlocks(page)
      .filter((text) => !isTaken(page, text))
      .map((text) => `${page}: ${text}`),
  );
  expect(left).toEqual([]);
});

test('every exception is still on a page, and every list still has its test', () => {
  const text = READMES.map((page) => readmeBlocks(page).join('\n')).join('\n');
  for (const line of Object.keys(NOT_RUN)) expect(text.split('\n')).toContain(line);
  for (const [file] of LISTED) expect(existsSync(file), file).toBe(true);
});
