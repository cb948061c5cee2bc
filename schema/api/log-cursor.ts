/** A place in the log as clients carry it: opaque, safe in a URL. */
export const formatLogCursor = ({ createdAt, id }: { createdAt: number; id: string }): string =>
  btoa(`${createdAt}.${id}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');

/** Reads one back; undefined for what `formatLogCursor` did not make. */
export function parseLogCursor(cursor: string): { createdAt: number; id: string } | undefined {
  if (!/^[\w-]{1,200}$/.test(cursor)) return undefined;
  try {
    const [, createdAt, id] =
      /^(\d{1,13})\.(wh_del_\w{1,57})$/.exec(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) ?? [];
    return createdAt === undefined || id === undefined ? undefined : { createdAt: Number(createdAt), id };
  } catch {
    return undefined;
  }
}
