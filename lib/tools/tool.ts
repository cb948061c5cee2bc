import type * as z from 'zod';
import type { IdempotentRequest } from '../../schema/meetings/idempotency.ts';
import type { Ctx, Platform } from '../kit/context.ts';

/**
 * Caller of a tool, identified by its API key: a platform that acts for its people, or a user who acts for themselves.
 */
export type ToolCaller = { kind: 'platform'; platform: Platform } | { kind: 'user'; userId: string; email: string };
type CallerOf<Kind extends ToolCaller['kind']> = Extract<ToolCaller, { kind: Kind }>;

/** Answer of a tool. `data` is for programs and `text` is for readers, with the same content. */
export interface ToolAnswer<Data = object> {
  data: Data;
  text: string;
}

/** Facts about a tool that a client may consider before it calls the tool, such as whether the tool only reads. */
export interface Hints {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  /** True if the tool reaches people or calendars outside this service. */
  openWorld: boolean;
}

/** Name, description and schemas of a tool, as shown to clients. */
interface Words<Kind extends ToolCaller['kind'], In extends z.ZodObject, Out extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  /** Kind of API key that may use the tool. */
  for: Kind;
  hints: Hints;
  input: In;
  /** Schemas that clients see in the list of tools in place of those in `input`, keyed by argument. */
  shown?: Record<string, z.ZodType>;
  /** Descriptions of the tool's arguments whose names do not explain them, keyed by argument. */
  said?: Record<string, string>;
  output: Out;
}

interface Call<Kind extends ToolCaller['kind'], In> {
  ctx: Ctx;
  caller: CallerOf<Kind>;
  input: In;
}

/**
 * Answer of a tool to a call with `preview`: the result that the call would have. `starts` has the start times that
 * Tandem chose, because the arguments do not contain them. `question` asks a person for consent, if the client shows
 * people questions. It has clock times as people write them, where `text` has UTC, zones and IDs for the agent.
 */
export interface Preview<Data, Version> extends ToolAnswer<Omit<Data, 'status'>> {
  starts?: number[];
  /** Version of the stored meeting or preferences that the preview shows, if the arguments refer to one. */
  version?: Version | undefined;
  question?: string;
}

/**
 * Data that a tool that changes something gets for each call, in addition to its arguments: what the user confirmed, and
 * the idempotency key.
 */
export interface Run<Version = unknown> {
  /**
   * Start times that were previewed and then confirmed, in epoch milliseconds. Empty if nothing was previewed or Tandem
   * did not choose the times, because the arguments then contain them.
   */
  starts: readonly number[];
  /** Version that the preview showed. If another one is stored now, the tool throws `StateChanged` and changes nothing. */
  version: Version | undefined;
  /**
   * Returns the call's idempotency key as the named operation takes it, so that a repeated call changes nothing twice.
   * Returns undefined if the call has no key.
   */
  idempotencyOf: (operation: IdempotentRequest['operation']) => Promise<IdempotentRequest | undefined>;
}

interface ReadingTool<Kind extends ToolCaller['kind'], In extends z.ZodObject, Out extends z.ZodObject>
  extends Words<Kind, In, Out> {
  run(call: Call<Kind, z.output<In>>): Promise<ToolAnswer<z.output<Out>>>;
}

interface WritingTool<Kind extends ToolCaller['kind'], In extends z.ZodObject, Out extends z.ZodObject, Version>
  extends Words<Kind, In, Out> {
  /** Describes what a call of this tool with the same arguments would do, and changes nothing. */
  preview(call: Call<Kind, z.output<In>>): Promise<Preview<z.output<Out>, Version>>;
  run(call: Call<Kind, z.output<In>> & Run<Version>): Promise<ToolAnswer<z.output<Out>>>;
}

/**
 * A tool for one or both kinds of API key, ready to be listed and called. The input must have passed the tool's schema,
 * and the caller must have the right kind of key.
 */
export interface Tool extends Words<ToolCaller['kind'], z.ZodObject, z.ZodObject> {
  preview?(call: AnyCall): Promise<Preview<object, unknown>>;
  run(call: AnyCall & Run): Promise<ToolAnswer>;
}
interface AnyCall {
  ctx: Ctx;
  caller: ToolCaller;
  input: object;
}

/** Creates a tool that only reads data. */
export const readingTool = <Kind extends ToolCaller['kind'], In extends z.ZodObject, Out extends z.ZodObject>(
  record: ReadingTool<Kind, In, Out>,
): Tool => asTool(record);

/** Creates a tool that changes data, after a preview if the caller asks for one. */
export const writingTool = <
  Kind extends ToolCaller['kind'],
  In extends z.ZodObject,
  Out extends z.ZodObject,
  Version = never,
>(
  record: WritingTool<Kind, In, Out, Version>,
): Tool => asTool(record);

// The specific types are safe to drop here: every call checks the input against the schema and the caller's kind first,
// and a version comes back in a token that Tandem signed for the same tool.
const asTool = (record: object): Tool => record as Tool;
