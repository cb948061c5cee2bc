import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { listingOf } from '../../../functions/mcp/listing.ts';
import { INSTRUCTIONS } from '../../../functions/mcp/server.ts';
import { TOOLS, toolsFor } from '../../../lib/tools/tools.ts';
import { connectAgent, GENERATIONS } from '../../support/people/agents.ts';
import { connectedPerson, freshPlatform } from '../../support/people/factories.ts';
import { world } from '../../support/worlds/world.ts';

const VERBS = ['Cancels', 'Changes', 'Holds', 'Invites', 'Moves', 'Returns', 'Starts'];
const MOST_TOOLS = 9;
const MOST_TOKENS = 3_000;

/** Counts the tokens of the tools' JSON as a client hands it to a model, with the tokenizer o200k_base. */
const tokensOf = (tools: object) => countTokens(JSON.stringify(tools));

test('a key sees at most nine tools, and the list of all tools has at most 3,000 tokens', () => {
  const byName = new Map(
    listingOf(TOOLS)
      .reverse()
      .map((tool) => [tool.name, tool]),
  );
  expect(tokensOf([...byName.values()])).toBeLessThanOrEqual(MOST_TOKENS);
  // A model chooses among the tools of its own key, so these are counted, and not the names of all tools together.
  for (const kind of ['platform', 'user'] as const) expect(toolsFor(kind).length).toBeLessThanOrEqual(MOST_TOOLS);
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

test('each description begins with what the tool does', () => {
  const verbs = TOOLS.map(({ description }) => /^\S+/.exec(description)?.[0]);
  expect([...new Set(verbs)].sort()).toEqual(VERBS);
});

test.each(['platform', 'user'] as const)(
  'a client with the key of a %s gets three sentences of instructions',
  async (kind) => {
    const platform = await freshPlatform();
    const { email } = await connectedPerson(platform);
    const key = kind === 'platform' ? platform.secret_key : (await world.connect(platform, email)).api_key;
    for (const generation of GENERATIONS) {
      const { client } = await connectAgent(key, { generation });
      const said = client.getInstructions() ?? '';
      expect(said).toBe(INSTRUCTIONS[kind]);
      expect(said.match(/[.!?](?= |$)/g)).toHaveLength(3);
    }
  },
);

test('a tool that takes a preview changes something, and no other does', () => {
  for (const { name, preview, hints } of TOOLS) expect([name, preview === undefined]).toEqual([name, hints.readOnly]);
});
