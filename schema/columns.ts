import { type SQL, sql } from 'drizzle-orm';
import { type AnyPgColumn, customType, PgDialect, text } from 'drizzle-orm/pg-core';

/** Column of type `timestamptz` that is read and written as epoch milliseconds. */
export const instant = customType<{ data: number; driverData: string }>({
  dataType: () => 'timestamptz(3)',
  fromDriver: (value) => new Date(value).getTime(),
  toDriver: (ms) => new Date(ms).toISOString(),
});

/** Half-open, written as a start and an end in epoch milliseconds. The code never reads it. */
export const instantRange = customType<{ data: { start: number; end: number }; driverData: string }>({
  dataType: () => 'tstzrange',
  toDriver: ({ start, end }) => `[${new Date(start).toISOString()},${new Date(end).toISOString()})`,
});

/** Column that names a row of another table. */
export const refersTo = (name: string, to: () => AnyPgColumn, actions?: { onDelete: 'cascade' }) =>
  text(name).notNull().references(to, actions);

/** A statement selects these columns under their own names. */
export const pick = <T extends object, Name extends keyof T>(table: T, ...names: Name[]): Pick<T, Name> =>
  Object.fromEntries(names.map((name) => [name, table[name]])) as Pick<T, Name>;

export const at = (ms: number): SQL => sql`${new Date(ms).toISOString()}::timestamptz`;

/** They were never leased, or the lease has expired. */
export const unleased = (leaseUntil: AnyPgColumn | SQL, now: number): SQL =>
  sql`(${leaseUntil} is null or ${leaseUntil} <= ${at(now)})`;

/** The words stand in the SQL text, because a constraint cannot have parameters. */
export const isOneOf = (column: AnyPgColumn | SQL, words: readonly string[]): SQL =>
  sql`${column} in (${sql.raw(words.map((word) => `'${word}'`).join(', '))})`;

/** Serves the long fixed parts of frequent statements, which drizzle would otherwise put together each time. */
export function finished(part: SQL): SQL {
  const { sql: text, params } = new PgDialect().sqlToQuery(part);
  if (params.length > 0) throw new Error('Finished SQL cannot have parameters.');
  return sql.raw(text);
}
