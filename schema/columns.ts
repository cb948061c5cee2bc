import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, customType } from 'drizzle-orm/pg-core';

/** A `timestamptz` read and written as epoch milliseconds. */
export const instant = customType<{ data: number; driverData: string }>({
  dataType: () => 'timestamptz(3)',
  fromDriver: (value) => new Date(value).getTime(),
  toDriver: (ms) => new Date(ms).toISOString(),
});

/** A half-open `tstzrange` of epoch milliseconds; written only. */
export const instantRange = customType<{ data: { start: number; end: number }; driverData: string }>({
  dataType: () => 'tstzrange',
  toDriver: ({ start, end }) => `[${new Date(start).toISOString()},${new Date(end).toISOString()})`,
});

/** Epoch milliseconds as a `timestamptz` within hand-written SQL. */
export const at = (ms: number): SQL => sql`${new Date(ms).toISOString()}::timestamptz`;

/** Whether a column has one of these words, which stand in the SQL themselves, as a constraint needs them. */
export const isOneOf = (column: AnyPgColumn | SQL, words: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`;
