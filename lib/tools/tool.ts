import type * as z from 'zod';
import type { IdempotentRequest } from '../../schema/meetings/idempotency.ts';
import type { Ctx, Platform } from '../kit/context.ts';

/** A platform acts for its people, or a user for themselves. */
export type ToolCaller = { kind: 'platform'; platform: Platform } | { kind: 'user'; userId: string; email: string };
type Kinds = ToolCaller['kind'];

/** Answer of a tool. `data` is for programs and `text` is for readers, with the same content. */
export interface ToolAnswer<Data = object> {
  data: Data;
  text: string;
}

/** For tools that change something; the others have `openWorld` alone. */
interface Hints {
  destructive?: boolean;
  idempotent?: boolean;
  /** True if the tool reaches people or calendars outside this service. */
  openWorld: boolean;
}

interface Words<Kind extends Kinds, In extends z.ZodObject, Out extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  for: Kind;
  hints: Hints;
  input: In;
  /** Schemas that clients see in the list of tools in place of those in `input`, keyed by argument. */
  shown?: Record<string, z.ZodType>;
  said?: Record<string, string>;
  output: Out;
}

interface Call<Kind, In> {
  ctx: Ctx;
  caller: Extract<ToolCaller, { kind: Kind }>;
  input: In;
}

/** Tandem chose `starts`. `question` has clock times as people write them, `text` UTC, zones and IDs for the agent. */
export interface Preview<Data, Version> extends ToolAnswer<Omit<Data, 'status'>> {
  starts?: number[];
  version?: Version | undefined;
  question?: string;
}

export interface Run<Version = unknown> {
  /** Previewed and confirmed starts in epoch ms. Empty without a preview, or if the arguments contain them. */
  starts: readonly number[];
  /** Version that the preview showed. If another one is stored now, the tool throws `StateChanged` and changes nothing. */
  version: Version | undefined;
  /** A repeated call changes nothing twice. Undefined if the call has no key. */
  idempotencyOf: (operation: IdempotentRequest['operation']) => Promise<IdempotentRequest | undefined>;
}

interface ToolOf<Kind extends Kinds, In extends z.ZodObject, Out extends z.ZodObject, Version>
  extends Words<Kind, In, Out> {
  /** Says what a call would do, and changes nothing. Every tool that changes something has it, and no other. */
  preview?(call: Call<Kind, z.output<In>>): Promise<Preview<z.output<Out>, Version>>;
  run(call: Call<Kind, z.output<In>> & Run<Version>): Promise<ToolAnswer<z.output<Out>>>;
}

/** The input must have passed the schema, and the caller must have the right kind of key. */
export interface Tool extends Words<Kinds, z.ZodObject, z.ZodObject> {
  preview?(call: AnyCall): Promise<Preview<object, unknown>>;
  run(call: AnyCall & Run): Promise<ToolAnswer>;
}
type AnyCall = { ctx: Ctx; caller: ToolCaller; input: object };
export type ToolCall = AnyCall & { tool: Tool };

/** The cast is safe: input and caller are checked first, and a version comes back in a token signed for the tool. */
export const toolOf = <Kind extends Kinds, In extends z.ZodObject, Out extends z.ZodObject, Version = never>(
  record: ToolOf<Kind, In, Out, Version>,
): Tool => record as object as Tool;
