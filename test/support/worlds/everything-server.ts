import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  fromJsonSchema,
  inputRequired,
  LOG_LEVEL_META_KEY,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const image = { type: 'image', data: PNG, mimeType: 'image/png' } as const;
const text = (words: string) => ({ type: 'text', text: words }) as const;
const said = (words: string) => ({ content: [text(words)] });

const Name = z.object({ name: z.string() });
const Color = z.object({ color: z.string() });
const asking = (message: string, requestedSchema: z.ZodObject) => inputRequired.elicit({ message, requestedSchema });
const sampling = (words: string) =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(words) }], maxTokens: 100 });

const answerOf = ({ mcpReq }: ServerContext, name: string) => mcpReq.inputResponses?.[name];

const state = createRequestStateCodec<{ round: number }>({ key: 'a key of thirty-two characters, no less' });

/** Creates a server with every fixture the protocol's suite asks for, under the names the suite uses. */
export function createEverythingServer(): McpServer {
  const server = new McpServer(
    { name: 'everything', version: '1.0.0' },
    {
      capabilities: { tools: {}, prompts: {}, resources: {}, completions: {}, logging: {} },
      requestState: { verify: state.verify },
    },
  );
  addContents(server);
  addBehaviours(server);
  addSchemas(server);
  addQuestions(server);
  addRounds(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addContents(server: McpServer): void {
  const embedded = {
    uri: 'test://embedded-resource',
    mimeType: 'text/plain',
    text: 'This is an embedded resource content.',
  };
  const mixed = {
    uri: 'test://mixed-content-resource',
    mimeType: 'application/json',
    text: '{"test":"data","value":123}',
  };
  const contents = {
    test_simple_text: [text('This is a simple text response for testing.')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' } as const],
    test_embedded_resource: [{ type: 'resource', resource: embedded } as const],
    test_multiple_content_types: [
      text('Multiple content types test:'),
      image,
      { type: 'resource', resource: mixed } as const,
    ],
  };
  for (const [name, content] of Object.entries(contents))
    server.registerTool(name, { description: 'Answers what it always answers' }, () => ({ content }));
}

function addBehaviours(server: McpServer): void {
  server.registerTool('test_error_handling', { description: 'Fails' }, () => ({
    ...said('This tool intentionally returns an error for testing'),
    isError: true,
  }));
  server.registerTool('test_tool_with_progress', { description: 'Tells its progress' }, async ({ mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken;
    for (const progress of progressToken === undefined ? [] : [0, 50, 100])
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken: progressToken ?? '', progress, total: 100, message: `${progress} of 100` },
      });
    return said('Done.');
  });
  server.registerTool('test_logging_tool', { description: 'Logs when it is asked to' }, async ({ mcpReq }) => {
    if (envelopeOf(mcpReq)[LOG_LEVEL_META_KEY] !== undefined)
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data: 'working' } });
    return said('Done.');
  });
  server.registerTool('test_missing_capability', { description: 'Needs sampling' }, (context) => {
    if (answerOf(context, 'sampled') !== undefined) return said('Done.');
    return inputRequired({ inputRequests: { sampled: sampling('Anything') } });
  });
  server.registerTool('test_streaming_elicitation', { description: 'Asks' }, (context) => {
    if (answerOf(context, 'name') !== undefined) return said('Done.');
    return inputRequired({ inputRequests: { name: asking('What is your name?', Name) } });
  });
}

/** Keywords of JSON Schema 2020-12 that a list of tools must keep. */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { city: { type: 'string' } } } },
  properties: {
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

function addSchemas(server: McpServer): void {
  const inputSchema = fromJsonSchema(SCHEMA as Parameters<typeof fromJsonSchema>[0]);
  server.registerTool('json_schema_2020_12_tool', { description: 'Has a long schema', inputSchema }, () =>
    said('Done.'),
  );
  const Mirrored = z.object({ region: z.string().meta({ 'x-mcp-header': 'Region' }) });
  server.registerTool('mirrored', { description: 'Mirrors a header', inputSchema: Mirrored }, () => said('Done.'));
}

const envelopeOf = ({ envelope }: ServerContext['mcpReq']) => (envelope ?? {}) as Record<string, unknown>;

function addQuestions(server: McpServer): void {
  server.registerTool('test_input_required_result_elicitation', { description: 'Asks for a name' }, (context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'user_name', Name);
    if (answer !== undefined) return said(`Hello, ${answer.name}!`);
    return inputRequired({ inputRequests: { user_name: asking('What is your name?', Name) } });
  });
  server.registerTool('test_input_required_result_sampling', { description: 'Asks a model' }, (context) => {
    const answer = answerOf(context, 'capital_question');
    if (answer !== undefined) return said(JSON.stringify(answer));
    return inputRequired({ inputRequests: { capital_question: sampling('What is the capital of France?') } });
  });
  server.registerTool('test_input_required_result_list_roots', { description: 'Asks for roots' }, (context) => {
    const answer = answerOf(context, 'client_roots');
    if (answer !== undefined) return said(JSON.stringify(answer));
    return inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } });
  });
  server.registerTool('test_input_required_result_capabilities', { description: 'Asks as it may' }, ({ mcpReq }) => {
    const declared = { ...(envelopeOf(mcpReq)[CLIENT_CAPABILITIES_META_KEY] as Record<string, unknown> | undefined) };
    return inputRequired({
      inputRequests: {
        ...(declared.elicitation === undefined ? {} : { name: asking('What is your name?', Name) }),
        ...(declared.sampling === undefined ? {} : { sampled: sampling('Anything') }),
      },
    });
  });
}

function addRounds(server: McpServer): void {
  const roundOf = ({ mcpReq }: ServerContext) => mcpReq.requestState<{ round: number }>()?.round ?? 0;
  for (const name of ['test_input_required_result_request_state', 'test_input_required_result_tampered_state'])
    server.registerTool(name, { description: 'Keeps a state' }, async (context) => {
      if (roundOf(context) === 1) return said('state-ok');
      const confirm = asking('Please confirm', z.object({ ok: z.boolean() }));
      return inputRequired({ inputRequests: { confirm }, requestState: await state.mint({ round: 1 }) });
    });
  server.registerTool('test_input_required_result_multiple_inputs', { description: 'Asks thrice' }, async (context) => {
    if (roundOf(context) === 1) return said('All answered.');
    return inputRequired({
      inputRequests: {
        user_name: asking('What is your name?', Name),
        greeting: sampling('Generate a greeting'),
        client_roots: inputRequired.listRoots(),
      },
      requestState: await state.mint({ round: 1 }),
    });
  });
  server.registerTool('test_input_required_result_multi_round', { description: 'Asks twice' }, async (context) => {
    const round = roundOf(context);
    if (round === 2) return said('Done.');
    const inputRequests =
      round === 1
        ? { step2: asking('Step 2: What is your favorite color?', Color) }
        : { step1: asking('Step 1: What is your name?', Name) };
    return inputRequired({ inputRequests, requestState: await state.mint({ round: round + 1 }) });
  });
}

function addResources(server: McpServer): void {
  const add = (name: string, mimeType: string, content: { text: string } | { blob: string }) =>
    server.registerResource(name, `test://${name}`, { mimeType }, ({ href: uri }) => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  add('static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  add('static-binary', 'image/png', { blob: PNG });
  const template = new ResourceTemplate('test://template/{id}/data', { list: undefined });
  const mimeType = 'application/json';
  server.registerResource('template', template, { mimeType }, ({ href: uri }, { id }) => ({
    contents: [{ uri, mimeType, text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }) }],
  }));
}

function addPrompts(server: McpServer): void {
  const messages = (...contents: Parameters<typeof message>[0][]) => ({ messages: contents.map(message) });
  server.registerPrompt('test_simple_prompt', { description: 'Simple' }, () =>
    messages(text('This is a simple prompt for testing.')),
  );
  const two = z.object({ arg1: z.string(), arg2: z.string() });
  server.registerPrompt(
    'test_prompt_with_arguments',
    { description: 'Of two words', argsSchema: two },
    ({ arg1, arg2 }) => messages(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  );
  const one = z.object({ resourceUri: z.string() });
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Of a resource', argsSchema: one },
    ({ resourceUri: uri }) =>
      messages(
        { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } },
        text('Please process the embedded resource above.'),
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Image' }, () =>
    messages(image, text('Please analyze the image above.')),
  );
  const Context = z.object({ context: z.string() });
  server.registerPrompt('test_input_required_result_prompt', { description: 'Asks first' }, (context) => {
    const answer = acceptedContent(context.mcpReq.inputResponses, 'user_context', Context);
    if (answer !== undefined) return messages(text(answer.context));
    const user_context = asking('What context should the prompt use?', Context);
    return inputRequired({ inputRequests: { user_context } });
  });
  server.server.setRequestHandler('completion/complete', () => ({ completion: { values: [], hasMore: false } }));
}

const message = (
  content:
    | ReturnType<typeof text>
    | typeof image
    | { type: 'resource'; resource: { uri: string; mimeType: string; text: string } },
) => ({ role: 'user' as const, content });
