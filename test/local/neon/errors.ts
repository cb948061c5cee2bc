const FIELDS = [
  'code',
  'detail',
  'hint',
  'position',
  'internalPosition',
  'internalQuery',
  'severity',
  'where',
  'table',
  'column',
  'schema',
  'dataType',
  'constraint',
  'file',
  'line',
  'routine',
] as const;

/** Request that the proxy itself refuses before it asks the database. */
export class RefusedRequest extends Error {
  readonly status: number;

  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** Returns Postgres' error as HTTP 400 with all its fields, and a lost or unreachable database as 500. */
export function errorResponse(error: unknown): Response {
  if (error instanceof RefusedRequest) return refusal(error.message, error.status);
  if (!(error instanceof Error)) return refusal(String(error), 500);
  if (!('severity' in error) || typeof error.severity !== 'string') return refusal(error.message, 500);
  const said: Record<string, unknown> = { ...error };
  const fields = FIELDS.map((field) => [field, said[field] ?? null]);
  return Response.json({ message: error.message, ...Object.fromEntries(fields) }, { status: 400 });
}

function refusal(message: string, status: number): Response {
  return Response.json({ message, code: null }, { status });
}
