import { AppError } from '../../lib/errors.ts';
import type { Tool } from '../../lib/tools/tool.ts';
import { unknownFields, withoutNulls } from '../body-fields.ts';
import { check } from '../input.ts';

/** A tool's checked arguments; throws for the first that is wrong or that nobody knows, as a misspelt one must not look heard. */
export function checkArguments(tool: Tool, given: unknown): object {
  const args = withoutNulls(tool.input, given);
  const [unknown] = unknownFields(tool.input, args);
  if (unknown !== undefined) throw new AppError('invalid_request', unknown.sentence, { field: unknown.path });
  return check(tool.input, args);
}
