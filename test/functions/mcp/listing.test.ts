import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { listingOf } from '../../../functions/mcp/listing.ts';
import { TOOLS, toolsFor } from '../../../lib/tools/tools.ts';
import { connectAgent } from '../../support/people/agents.ts';
import { freshPlatform } from '../../support/people/factories.ts';

const MOST_TOOLS = 9;
const MOST_TOKENS = 3_000;

/** Counts the tokens of the tools' JSON as a client hands it to a model, with the tokenizer o200k_base. */
const tokensOf = (tools: object) => countTokens(JSON.stringify(tools));

test('there are at most nine tools, and their list has at most 3,000 tokens', () => {
  const byName = new Map(
    listingOf(TOOLS)
      .reverse()
      .map((tool) => [tool.name, tool]),
  );
  expect(byName.size).toBeLessThanOrEqual(MOST_TOOLS);
  expect(tokensOf([...byName.values()])).toBeLessThanOrEqual(MOST_TOKENS);
  for (const kind of ['platform', 'user'] as const)
    expect(tokensOf(listingOf(toolsFor(kind)))).toBeLessThanOrEqual(MOST_TOKENS);
});

test('the listed tools are the counted ones, and each says what it does to whom', async () => {
  const { client } = await connectAgent((await freshPlatform()).secret_key);
  const { tools } = await client.listTools();
  expect(tools).toEqual(listingOf(toolsFor('platform')));
  for (const { annotations, title, description, inputSchema, outputSchema } of tools) {
    expect(title).toBeTruthy();
    expect(description).toBeTruthy();
    expect(inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(outputSchema).toMatchObject({ type: 'object' });
    // Some clients understand only a single type for each value.
    expect(JSON.stringify([inputSchema, outputSchema])).not.toContain('"type":[');
    expect(annotations?.readOnlyHint ?? annotations?.destructiveHint).toBeDefined();
  }
});

test('a tool that takes a preview changes something, and no other does', () => {
  for (const { name, preview, hints } of TOOLS) expect([name, preview === undefined]).toEqual([name, hints.readOnly]);
});
