import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type InputRequiredResult,
  inputRequired,
  type JSONObject,
  type Tool as Listed,
  type McpRequestContext,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
  type ToolAnnotations,
} from '@modelcontextprotocol/server';
import type { Context } from 'hono';
import * as z from 'zod';
import { AppError, formerKey, invalid } from '../../lib/kit/errors.ts';
import { type Asking, callTool, sayRefusal, withOffsets } from '../../lib/tools/call.ts';
import { CONFIRMATION_SAID, type Confirmed, confirmation, readConfirmation } from '../../lib/tools/confirmation.ts';
import type { Tool, ToolCaller } from '../../lib/tools/tool.ts';
import { TOOLS, toolsFor } from '../../lib/tools/tools.ts';
import { say } from '../../lib/words/patterns.ts';
import { version } from '../../package.json';
import { withHiddenShown } from '../../schema/api/hidden-text.ts';
import { ERRORS } from '../../schema/api/http-errors.ts';
import { nearest, readSchema, unknownFields, withoutNulls } from '../http/body-fields.ts';
import { type AppEnv, platformOf } from '../http/env.ts';
import { check } from '../http/input.ts';
import { assertMeantToChange } from '../http/trial-fields.ts';
import { isJson, type Json, wholeSchema } from '../http/whole-schema.ts';

/** The list is private, because it depends on the kind of the client's key. */
const KEPT = { ttlMs: 300_000, cacheScope: 'private' } as const;

const CAREFUL =
  'Send each time with its offset, such as 2027-03-01T09:00:00+01:00, and repeat times to people exactly as a result states them. Before a change, call the tool with `preview: true`, tell the person what would happen, and send its `confirm_token` once they agree.';

export const INSTRUCTIONS: Record<ToolCaller['kind'], string> = {
  platform: `Tandem finds times at which two people are free, and books, moves and cancels their meetings. ${CAREFUL}`,
  user: `Tandem schedules meetings for its user, and these tools read the user's free time and meetings and change the user's preferences. ${CAREFUL}`,
};

/** Some clients of 2025 ask every server for them, and use no tools of one that does not know the method. */
const EMPTY_LISTS = new Map<string, Record<string, []>>([
  ['prompts/list', { prompts: [] }],
  ['resources/list', { resources: [] }],
  ['resources/templates/list', { resourceTemplates: [] }],
]);

export function createServer(c: Context<AppEnv>, { era }: Pick<McpRequestContext, 'era'>): Server {
  const { ctx } = c.var;
  const caller = callerOf(c);
  const server = new Server(
    { name: 'tandem', title: 'Tandem', version },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: INSTRUCTIONS[caller.kind],
      cacheHints: { 'tools/list': KEPT, 'server/discover': KEPT },
      requestState: { verify: (state) => readConfirmation(ctx, caller, state, 'question') },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: listedFor(caller.kind) }));
  server.setRequestHandler('tools/call', ({ params }, asked) => call(c, caller, params, asked));
  if (era === 'legacy') server.fallbackRequestHandler = async ({ method }) => emptyList(method);
  return server;
}

function emptyList(method: string): Record<string, []> {
  const list = EMPTY_LISTS.get(method);
  if (list === undefined) throw new ProtocolError(ProtocolErrorCode.MethodNotFound, 'Method not found');
  return list;
}

function callerOf(c: Context<AppEnv>): ToolCaller {
  const { caller } = c.var;
  return caller?.kind === 'user' ? caller : { kind: 'platform', platform: platformOf(c) };
}

const listed: { [Kind in ToolCaller['kind']]?: Listed[] } = {};
const listedFor = (kind: ToolCaller['kind']): Listed[] => {
  listed[kind] ??= listingOf(toolsFor(kind));
  return listed[kind];
};

async function call(
  c: Context<AppEnv>,
  caller: ToolCaller,
  { name, arguments: args = {} }: { name: string; arguments?: Record<string, unknown> | undefined },
  asked: ServerContext,
): Promise<CallToolResult | InputRequiredResult> {
  const { ctx, requestId } = c.var;
  const tool = toolsFor(caller.kind).find((one) => one.name === name);
  const known = TOOLS.find((one) => one.name === name);
  if (known === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool named ${name}.`);
  try {
    if (tool === undefined) throw new AppError('forbidden', FOR_OTHERS[known.for]);
    // The tools of a person that change something change settings.
    if (tool.for === 'user' && tool.preview && c.var.caller?.isFormer) throw formerKey();
    const { input, ignored } = await checked(c, caller, tool, args);
    const answer = await callTool({ ctx, tool, caller, input }, askingOf(asked));
    if ('token' in answer) return toQuestion(answer);
    const text =
      ignored.length === 0
        ? answer.text
        : `${answer.text}\n${say('agent.ignored', { value: JSON.stringify(ignored) })}`;
    return { content: [textContent(text)], structuredContent: { ...(shown(answer.data) as object) } };
  } catch (error) {
    const refusal = error instanceof AppError ? error : unforeseen(tool, error);
    c.set('refusal', refusal.code);
    if (ERRORS[refusal.code].status === 500)
      ctx.log('error', refusal.code, { tool: name, error: refusal.cause ?? refusal });
    return { content: [textContent(sayRefusal(refusal, requestId))], isError: true };
  }
}

/** Texts that others wrote stand in an answer's sentences and in its data. In neither may anything be hidden from the reader. */
const textContent = (text: string) => ({ type: 'text' as const, text: withHiddenShown(text) });
function shown(value: unknown): unknown {
  if (typeof value === 'string') return withHiddenShown(value);
  if (Array.isArray(value)) return value.map(shown);
  if (!isJson(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [withHiddenShown(name), shown(field)]));
}

const FOR_OTHERS: Record<ToolCaller['kind'], string> = {
  platform: "This tool requires a platform's secret key (sk_live_).",
  user: "This tool changes a person's own settings. The tool requires the API key of that person (sk_user_).",
};

async function checked(c: Context<AppEnv>, caller: ToolCaller, tool: Tool, args: object): Promise<Arguments> {
  try {
    return checkArguments(tool, args);
  } catch (error) {
    throw error instanceof AppError ? await withOffsets(c.var.ctx, caller, args, error) : error;
  }
}

const unforeseen = (tool: Tool | undefined, error: unknown) =>
  new AppError(
    'internal_error',
    tool?.preview === undefined
      ? 'Something went wrong on our side. Try again in a minute.'
      : 'Something went wrong on our side. The requested change may have been made anyway. Check whether it was made before you try again.',
    {},
    error,
  );

const ANSWER = 'confirm';
const Agreement = z.object({ [ANSWER]: z.boolean().describe('True to go ahead') });
/** Schema of the response to a question that a tool asked the user. Only an explicit yes of the user passes. */
const Agreed = z.object({ action: z.literal('accept'), content: z.object({ [ANSWER]: z.literal(true) }) });
const Elicitation = z.object({ url: z.unknown(), form: z.unknown() }).partial();
const Envelope = z.object({ [CLIENT_CAPABILITIES_META_KEY]: z.object({ elicitation: Elicitation.optional() }) });

function askingOf({ mcpReq }: ServerContext): Asking {
  const { envelope, inputResponses } = mcpReq;
  const declared = Envelope.safeParse(envelope).data?.[CLIENT_CAPABILITIES_META_KEY].elicitation;
  const confirmed = mcpReq.requestState<Confirmed>();
  return {
    // MCP lets a client declare elicitation and name neither `form` nor `url`. Such a client can ask its user with a
    // form.
    canAsk: declared !== undefined && (declared.form !== undefined || declared.url === undefined),
    answered: confirmed && { confirmed, isAgreed: Agreed.safeParse(inputResponses?.[ANSWER]).success },
  };
}

const toQuestion = ({ question, token }: { question: string; token: string }) =>
  inputRequired({
    inputRequests: {
      [ANSWER]: inputRequired.elicit({ message: withHiddenShown(question), requestedSchema: Agreement }),
    },
    requestState: token,
  });

type Arguments = { input: object; ignored: string[] };

/** Arguments of any tool. One that this tool does not have, such as another person's address, changes what is meant. */
const ARGUMENTS = new Set(TOOLS.flatMap(({ input }) => Object.keys(input.shape)));

/** A model would assume that a misspelled argument was accepted. Clients add others of their own to every call. */
function checkArguments(tool: Tool, given: unknown): Arguments {
  const args = asMeant(tool.input, withoutNulls(tool.input, given));
  const unknown = unknownFields(tool.input, args);
  const names = Object.keys(tool.input.shape);
  if (tool.preview !== undefined) assertMeantToChange(args, tool.input);
  const misspelled = unknown.find(
    ({ path, meant }) => meant !== undefined || nearest(path, names) !== undefined || ARGUMENTS.has(path),
  );
  if (misspelled !== undefined) throw invalid(misspelled.path, misspelled.sentence);
  return { input: check(tool.input, args), ignored: unknown.map(({ path }) => path) };
}

/** Values may be written as text. Without an empty `preview` or `confirm_token` the tool would act: refused. */
function asMeant(schema: z.core.$ZodType, value: unknown): unknown {
  const read = readSchema(schema);
  const meant = typeof value === 'string' ? parsed(read, value.trim()) : value;
  if (read instanceof z.ZodArray && Array.isArray(meant)) return meant.map((item) => asMeant(read.element, item));
  // PHP writes an empty object as an empty list.
  if ((read instanceof z.ZodObject || read instanceof z.ZodRecord) && Array.isArray(meant) && meant.length === 0)
    return {};
  if (!(read instanceof z.ZodObject) || !isJson(meant)) return meant;
  const fields = Object.entries(meant).flatMap(([name, field]) => {
    const known = Object.hasOwn(read.shape, name) ? read.shape[name] : undefined;
    if (known === undefined) return [[name, field]];
    const said = asMeant(known, field);
    const isDropped = isOptional(known) && isEmpty(said) && !Object.hasOwn(confirmation, name);
    return isDropped && !z.safeParse(known, said).success ? [] : [[name, said]];
  });
  return Object.fromEntries(fields);
}

function parsed(schema: z.core.$ZodType, text: string): unknown {
  if (schema instanceof z.ZodNumber) return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  if (schema instanceof z.ZodBoolean || schema instanceof z.ZodLiteral)
    return text === 'true' || text === 'false' ? text === 'true' : text;
  if (!(schema instanceof z.ZodArray || schema instanceof z.ZodObject || schema instanceof z.ZodRecord)) return text;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

const isOptional = (schema: z.core.$ZodType) => schema instanceof z.ZodOptional || schema instanceof z.ZodDefault;
const isEmpty = (value: unknown) => value === '' || (isJson(value) && Object.keys(value).length === 0);

export const listingOf = (tools: readonly Tool[]): Listed[] => tools.map(toListed);

const toListed = (tool: Tool): Listed => {
  const { name, title, description, input, shown = {}, output } = tool;
  const { properties, ...schema } = inShort(input) as ObjectSchema;
  const inOtherWords = Object.entries(shown).map(([field, words]) => [field, inShort(words)] as const);
  const fields: Record<string, Json> = { ...properties, ...Object.fromEntries(inOtherWords) };
  const said = Object.entries({ ...(tool.preview && CONFIRMATION_SAID), ...tool.said });
  const described = said.map(([field, words]) => [field, { ...fields[field], description: words }] as const);
  return {
    name,
    title,
    description,
    inputSchema: {
      ...schema,
      type: 'object',
      properties: { ...fields, ...Object.fromEntries(described) } as JSONObject,
      additionalProperties: false,
    },
    outputSchema: { ...answerInShort(output), type: 'object' },
    annotations: annotationsOf(tool),
  };
};

interface ObjectSchema extends Json {
  properties?: Record<string, Json>;
}

const annotationsOf = ({ preview, hints }: Tool): ToolAnnotations => ({
  ...(preview ? { destructiveHint: hints.destructive === true } : { readOnlyHint: true }),
  ...(hints.idempotent ? { idempotentHint: true } : {}),
  ...(hints.openWorld ? {} : { openWorldHint: false }),
});

/** Saves the model's context. Names explain themselves, and an invalid argument is refused with a reason. */
const inShort = (schema: z.ZodType): Json => without(wholeSchema(schema), LEFT_OUT);
const LEFT_OUT = ['description', 'pattern', 'propertyNames', 'minLength', 'maxLength', 'minimum', 'maximum'];

/** A model reads there what an answer can contain, and sees in each answer which fields it has. */
const answerInShort = (schema: z.ZodType): Json =>
  withoutPlainParts(without(inShort(schema), ['required', 'additionalProperties']));

const withoutPlainParts = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([name, part]) => {
      if (!isJson(part)) return name === 'type' && 'enum' in schema ? [] : [[name, part]];
      const isPlain = name === 'items' && schema.type === 'array' && Object.keys(part).every((key) => key === 'type');
      return isPlain ? [] : [[name, withoutPlainParts(part)]];
    }),
  );

function without(schema: Json, names: readonly string[], isFields = false): Json {
  const kept = Object.entries(schema).filter(([name]) => isFields || !names.includes(name));
  return Object.fromEntries(
    kept.map(([name, part]) => [name, isJson(part) ? without(part, names, !isFields && name === 'properties') : part]),
  );
}
