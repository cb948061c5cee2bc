import { GROUPS } from '../../../functions/http/groups.ts';

const PATHS = GROUPS.flatMap(({ operations }) => operations)
  .filter(({ method, params, query }) => method === 'get' && !params && (query?.safeParse({}).success ?? true))
  .flatMap(({ path }) => (path.startsWith('/v1/') ? [path] : []));

/** Paths of the reads that need no parameter: those of a person, and all others, which are a platform's. */
export const USER_READS = PATHS.filter((path) => path.startsWith('/v1/user/'));
export const PLATFORM_READS = PATHS.filter((path) => !USER_READS.includes(path));
