import { AppError } from '../../lib/kit/errors.ts';
import type { Tool } from '../../lib/tools/tool.ts';
import { unknownFields, withoutNulls } from '../body-fields.ts';
import { check } from '../input.ts';

/**
 * Checks the arguments of a call to an MCP tool. Throws for the first argument that is invalid or unknown, because a
 * model would assume that a misspelled argument was accepted.
 */
export function checkArguments(tool: Tool, given: unknown): object {
  const args = withoutNulls(tool.input, given);
  const [unknown] = unknownFields(tool.input, args);
  if (unknown !== undefined) throw new AppError('invalid_request', unknown.sentence, { field: unknown.path });
  return check(tool.input, args);
}
