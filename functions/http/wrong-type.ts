import type * as z from 'zod';

/** Phrases for the JSON types that a schema can expect, keyed by zod's names of the types. */
const PHRASES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

const NUMBERS: readonly string[] = ['number', 'int'];

export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'boolean') return String(value);
  return PHRASES[typeof value] ?? 'a value of another type';
}

/** Names the type that was sent, for a rule in the schema's own words that already says what is expected. */
function wrongKind(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code !== 'invalid_type' || PHRASES[typeof value] === undefined) return '';
  const isExpected = issue.expected === 'int' ? typeof value === 'number' : kindOf(value) === PHRASES[issue.expected];
  return isExpected ? '' : `, not ${kindOf(value)}`;
}

/**
 * Completes the sentence "The field …" with a schema's own rule, or the type or values that it expects. For a wrong
 * type, also names the type that was sent.
 */
export function ruleOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === 'invalid_type' && NUMBERS.includes(issue.expected) && typeof value === 'string')
    return 'must be a number, not a string';
  if (issue.message.startsWith('must')) return issue.message + wrongKind(issue, value);
  if (issue.code === 'invalid_type')
    return `must be ${PHRASES[issue.expected] ?? issue.expected}, not ${kindOf(value)}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`;
  return 'has a value that this endpoint does not accept. The description of the field in /openapi.json says which values the endpoint accepts';
}
