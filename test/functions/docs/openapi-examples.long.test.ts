import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Example } from '../../../functions/openapi/examples.ts';
import { MINUTE } from '../../../lib/engine/time/dates.ts';
import { compileClosed, documented, type Json, readDocument } from '../../support/checks/openapi.ts';
import { createClient } from '../../support/worlds/client.ts';
import {
  type ExampleStory,
  NOW,
  openStory,
  type Request,
  requestOf,
  STORY,
} from '../../support/worlds/example-story.ts';
import { stableValues } from '../../support/worlds/example-values.ts';

const operations = new Map(documented().map(({ name, operation }) => [operation.operationId, { name, operation }]));
const stable = stableValues();
const examples: Record<string, Example> = {};

let story: ExampleStory;
beforeAll(async () => {
  story = await openStory();
});
afterAll(() => story.world.close());

test('the story has every operation once', () => {
  expect(Object.keys(STORY).toSorted()).toEqual([...operations.keys()].toSorted());
});

describe('every operation is answered as its schema says, and its example is that request with that answer', () => {
  test.each(Object.keys(STORY).map((id, step) => ({ id, step })))('$id', async ({ id, step }) => {
    // A step begins with a minute and takes less than two, also one that lets a minute pass for the queue.
    await story.world.advance(NOW + 2 * (step + 1) * MINUTE - story.world.clock.now());
    const { others = [], ...request } = await requestOf(story, id);
    const proposed: Json[] = [];
    for (const other of others) proposed.push(await playProposal(id, request, other));
    const answer = await play(id, request);
    examples[id] = stable({ ...request, ...(answer && { answer }), ...(others.length > 0 && { others: proposed }) });
    await story.after(id, answer);
  });
});

test('the examples of the document are those of the story', async () => {
  expect(Object.keys(examples)).toEqual(Object.keys(STORY));
  await expect(
    `${inLines(examples)}\n`,
    'A request or an answer has changed. `npm test -- long openapi-examples -u` writes the examples anew.',
  ).toMatchFileSnapshot('../../../functions/openapi/examples.json');
});

test('every example of an error is what its schema says', () => {
  const { components } = readDocument();
  for (const { operation } of documented())
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const { schema, examples: errors = {} } = content?.['application/json'] ?? {};
      if (Number(status) < 400) continue;
      for (const { $ref = '' } of Object.values(errors)) {
        const { value } = components.examples[$ref.replace('#/components/examples/', '')] ?? {};
        expect(compileClosed(schema ?? {}).parse(value)).toEqual(value);
      }
    }
});

/** Sends one of the further requests of an operation, which makes a proposal, and withdraws the proposal again. */
async function playProposal(id: string, request: Request, other: Json): Promise<Json> {
  const answer = await play(id, { ...request, ...other });
  const withdrawn = await story.asPlatform('DELETE', `/v1/proposals/${answer?.proposal_id}`);
  expect(withdrawn.status).toBe(200);
  return { ...other, answer };
}

/** Sends a request with the key of the kind its operation takes. Returns the answer, undefined if it is a page. */
async function play(id: string, { params = {}, query, body }: Request): Promise<Json | undefined> {
  const { name = '', operation } = operations.get(id) ?? {};
  const [method = '', template = ''] = name.split(' ');
  const path = template.replaceAll(/\{(\w+)\}/g, (_, part: string) => encodeURIComponent(String(params[part])));
  const search = query === undefined ? '' : `?${new URLSearchParams(query)}`;
  const [scheme = ''] = operation?.security.flatMap(Object.keys) ?? [];
  const key = scheme === 'platform_key' ? story.keys.platform : scheme === 'user_key' ? story.keys.user : undefined;
  const answer = await createClient(story.world.baseUrl, key).send(method, path + search, body);
  expect(answer.status, answer.text).toBeLessThan(300);
  const content = operation?.responses[answer.status]?.content?.['application/json'];
  if (content === undefined) {
    expect(answer.headers.get('content-type')).toContain('text/html');
    return undefined;
  }
  expect(compileClosed(content.schema).parse(answer.body)).toEqual(answer.body);
  if (id !== 'getOpenapi') return answer.body as Json;
  const { openapi, info } = answer.body as { openapi: string; info: Json };
  return { openapi, info: { title: info.title, version: info.version } };
}

/** Returns JSON in which a list or an object that fits on a line has no line of its own for each part. */
function inLines(value: unknown, indent = ''): string {
  const line = JSON.stringify(value);
  if (typeof value !== 'object' || value === null || indent.length + line.length <= 180) return line;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const within = `${indent}  `;
  const parts = Object.entries(value).map(([name, part]) => {
    const label = Array.isArray(value) ? '' : `${JSON.stringify(name)}: `;
    return `${within}${label}${inLines(part, within)}`;
  });
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}
