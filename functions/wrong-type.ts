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

/** Returns a phrase for the JSON type of a value, such as "an array". */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'boolean') return String(value);
  return PHRASES[typeof value] ?? 'a value of another type';
}

/**
 * Returns the rest of the sentence "The field …" for a value that its schema refuses. If the schema has a rule of its
 * own, that is the rest. Otherwise the rest names the type or the values that the schema expects, and for a wrong type
 * also the type that was sent.
 */
export function ruleOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.message.startsWith('must')) return issue.message;
  if (issue.code === 'invalid_type')
    return `must be ${PHRASES[issue.expected] ?? issue.expected}, not ${kindOf(value)}`;
  if (issue.code === 'invalid_value') return `must be ${issue.values.map(String).join(' or ')}`;
  return 'has a value that this endpoint does not accept. Its description in /openapi.json says which it accepts';
}
