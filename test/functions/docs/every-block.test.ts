import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Example } from '../../../functions/openapi/examples/example.ts';
import { EXAMPLES } from '../../../functions/openapi/examples.ts';
import { AGENT_CONFIGS } from '../../../functions/pages/docs/directives.ts';
import { TEST_EVENT } from '../../../schema/api/webhook-events/names.ts';
import { EVENT_TYPES } from '../../../schema/api/webhook-events/schemas.ts';
import { readDocument } from '../../support/checks/openapi.ts';
import { READMES, readmeBlocks } from '../../support/checks/readme-blocks.ts';
import { compareAnswer, shownJson } from '../../support/checks/shown-answer.ts';
import { type CodeBlock, codeAt, docsPaths, isCall, isTaken } from '../../support/worlds/docs-blocks.ts';
import { healAfterEach, world } from '../../support/worlds/world.ts';

healAfterEach();

const asJson = (value: unknown) => JSON.stringify(value);
const answers = Object.values(EXAMPLES as Record<string, Example>).flatMap(({ answer, others = [] }) =>
  [answer, ...others.map((other) => other.answer)].map(asJson),
);
const { webhooks } = readDocument();
const events = [...EVENT_TYPES, TEST_EVENT].map((type) =>
  asJson(webhooks[type]?.post.requestBody?.content?.['application/json']?.example),
);
/** Returns the JSON text of a block that shows data, and a dash for any other block. */
function dataOf(text: string): string {
  try {
    return asJson(JSON.parse(text));
  } catch {
    return '-';
  }
}

const configs = Object.values(AGENT_CONFIGS).map((config) => JSON.stringify(config, null, 2));

/** Returns true for a part of an event that fits the example of its type. */
function isEvent(text: string): boolean {
  const shown = shownJson(text) as { event_type?: string };
  const example = events
    .map((event) => JSON.parse(event ?? 'null'))
    .find((one) => one?.event_type === shown.event_type);
  return example !== undefined && compareAnswer(shown, example).wrong.length === 0;
}

/** Blocks that belong to a list, each with the test that goes through the whole list. */
const LISTED: [test: string, page: RegExp, has: (text: string) => boolean][] = [
  [
    'test/functions/docs/openapi-examples.long.test.ts',
    /^\/docs\/reference\//,
    (text) => answers.includes(dataOf(text)),
  ],
  ['test/functions/docs/openapi-webhooks.test.ts', /^\/docs\/events\//, (text) => events.includes(dataOf(text))],
  ['test/functions/docs/openapi-webhooks.test.ts', /^\/docs\/webhooks$/, isEvent],
  ['test/lib/webhooks/snippets.long.test.ts', /^\/docs\/webhooks\/verify$/, () => true],
  [
    'test/functions/docs/agents.test.ts',
    /^\/docs\/agents$/,
    (text) => configs.includes(text.replaceAll(world.baseUrl, '{{BASE_URL}}')),
  ],
];
const PLAYED = 'test/functions/docs/played.long.test.ts';
const REFERENCE = 'test/functions/docs/reference-calls.long.test.ts';

/** Returns true if a test plays the page's block: a call, a program, the shell, and an answer under one of them. */
const isPlayed = ({ codes, isUnderCode }: CodeBlock) =>
  ['sh', 'js', 'python'].some((language) => codes.has(language)) || (isUnderCode && codes.has('json'));

test('a test runs every code block of the home page, the guides and the reference', async () => {
  const left: string[] = [];
  let blocks = 0;
  for (const path of ['/', ...(await docsPaths()), ...(await docsPaths('Operations'))])
    for (const block of await codeAt(path)) {
      const isReference = path.startsWith('/docs/reference/');
      for (const [language, text] of block.codes) {
        blocks += 1;
        // Text is what a program prints, or the form of a signature.
        if (language === 'text' || isTaken(path, text)) continue;
        if (isReference ? isCall(block) : isPlayed(block)) continue;
        if (!LISTED.some(([, pages, has]) => pages.test(path) && has(text))) left.push(`${path}: ${text}`);
      }
    }
  expect(left).toEqual([]);
  expect(blocks).toBeGreaterThan(300);
});

test('a test runs every code block of the READMEs for customers', () => {
  const left = READMES.flatMap((page) =>
    readmeBlocks(page)
      .filter((text) => !isTaken(page, text))
      .map((text) => `${page}: ${text}`),
  );
  expect(left).toEqual([]);
});

test('every list still has its test', () => {
  for (const file of [PLAYED, REFERENCE, ...LISTED.map(([file]) => file)]) expect(existsSync(file), file).toBe(true);
});
