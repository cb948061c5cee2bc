import type * as z from 'zod';
import type { KeyClaim } from '../../schema/idempotency/queries.ts';
import type { Ctx, Platform } from '../context.ts';

/** Who calls a tool, by the kind of their key: a platform for its people, or a user for themselves alone. */
export type ToolCaller = { kind: 'platform'; platform: Platform } | { kind: 'user'; userId: string; email: string };
type CallerOf<Kind extends ToolCaller['kind']> = Extract<ToolCaller, { kind: Kind }>;

/** What a tool answers: the same to programs and to readers. */
export interface Told<Data = object> {
  data: Data;
  text: string;
}

/** What a client may think of a tool before it calls it. */
export interface Hints {
  readOnly: boolean;
  destructive: boolean;
  idempotent: boolean;
  /** Whether it reaches people or calendars beyond this service. */
  openWorld: boolean;
}

/** A tool in the words of its users. */
interface Words<Kind extends ToolCaller['kind'], In extends z.ZodObject, Out extends z.ZodObject> {
  name: string;
  title: string;
  description: string;
  /** Whose keys see it. */
  for: Kind;
  hints: Hints;
  input: In;
  /** Arguments in other words than their schema, and what the names of some do not say. */
  shown?: Record<string, z.ZodType>;
  said?: Record<string, string>;
  output: Out;
}

interface Call<Kind extends ToolCaller['kind'], In> {
  ctx: Ctx;
  caller: CallerOf<Kind>;
  input: In;
}

/** What would happen; with the start that the service picked, which the arguments do not say. */
export interface Preview<Data> extends Told<Omit<Data, 'status'>> {
  start?: number;
}

/** How a writing tool is to run beside its arguments. */
export interface Run {
  /** The start that was previewed and is confirmed, where the service picked it. */
  start: number | undefined;
  /** The claim of an operation's key, for its first batch; undefined without a key. */
  claim: (operation: KeyClaim['operation']) => Promise<KeyClaim | undefined>;
}

interface ReadingTool<Kind extends ToolCaller['kind'], In extends z.ZodObject, Out extends z.ZodObject>
  extends Words<Kind, In, Out> {
  run(call: Call<Kind, z.output<In>>): Promise<Told<z.output<Out>>>;
}

interface WritingTool<Kind extends ToolCaller['kind'], In extends z.ZodObject, Out extends z.ZodObject>
  extends Words<Kind, In, Out> {
  /** Answers what `run` would do, and does nothing. */
  preview(call: Call<Kind, z.output<In>>): Promise<Preview<z.output<Out>>>;
  run(call: Call<Kind, z.output<In>> & Run): Promise<Told<z.output<Out>>>;
}

/** A tool of any kind, as it is listed and called: with input its schema has checked, by a caller of its kind. */
export interface Tool extends Words<ToolCaller['kind'], z.ZodObject, z.ZodObject> {
  preview?(call: AnyCall): Promise<Preview<object>>;
  run(call: AnyCall & Run): Promise<Told>;
}
interface AnyCall {
  ctx: Ctx;
  caller: ToolCaller;
  input: object;
}

/** A tool that only reads. */
export const readingTool = <Kind extends ToolCaller['kind'], In extends z.ZodObject, Out extends z.ZodObject>(
  record: ReadingTool<Kind, In, Out>,
): Tool => asTool(record);

/** A tool that changes something, after a preview where that is asked for. */
export const writingTool = <Kind extends ToolCaller['kind'], In extends z.ZodObject, Out extends z.ZodObject>(
  record: WritingTool<Kind, In, Out>,
): Tool => asTool(record);

// Whoever calls a tool has checked the input by its schema and the caller by its kind, from which these types come.
const asTool = (record: object): Tool => record as Tool;
