import { dirname, join } from 'node:path';

/**
 * Rooms with their floors, the lowest first. A folder imports from lower floors alone: nothing from a higher one, and
 * nothing from another folder of its own floor. A dot stands for the files that lie in the room itself.
 */
const ROOMS: Record<string, string[][]> = {
  '.': [['node_modules', '.'], ['schema'], ['lib'], ['functions']],
  schema: [['.'], ['api'], ['tables'], ['access'], ['meetings'], ['delivery', 'upkeep', 'answers']],
  lib: [
    ...[['engine'], ['words'], ['reader'], ['kit'], ['person', 'adapters'], ['webhooks'], ['usage'], ['calendars']],
    ...[['learning'], ['availability'], ['meetings'], ['people'], ['platforms'], ['tools'], ['client']],
  ],
  'lib/engine': [['.'], ['time', 'plan'], ['rules'], ['wish'], ['rank'], ['move'], ['explain']],
  'lib/meetings': [['protocol', 'read'], ['verbs'], ['jobs', 'batches', 'proposals'], ['follow'], ['.']],
  functions: [['http'], ['middleware', 'v1'], ['internal', 'pages'], ['oauth'], ['mcp'], ['.'], ['openapi'], ['cli']],
};

/** All that these folders import from outside. */
const NOTHING_BUT: Record<string, string[]> = {
  'lib/engine': [],
  'lib/engine/plan': [],
  'lib/words': ['lib/engine'],
  'lib/reader': ['lib/engine', 'node_modules/zod'],
  'lib/adapters': ['lib/engine', 'lib/reader', 'lib/kit', 'schema', 'node_modules'],
};

/** What only these folders and files import. */
const ONLY_FROM: Record<string, string[]> = {
  'node_modules/hono': ['functions'],
  'node_modules/drizzle-orm': ['schema', 'lib/adapters/neon.ts'],
  // What the build makes of these, the Worker serves.
  'functions/openapi': ['functions/cli'],
  'functions/pages/docs': ['functions/cli'],
};

/** Folders that others enter by one file. */
const DOORS: Record<string, string> = { 'lib/meetings': 'lib/meetings/index.ts' };

export type Files = ReadonlyMap<string, string>;

const lies = (path: string, place: string) => place === '.' || path === place || path.startsWith(`${place}/`);
const liesIn = (path: string, places: readonly string[]) => places.some((place) => lies(path, place));

/** Returns all that a file imports: paths within the repository, and packages as `node_modules/` and their name. */
export function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(/^(?:import|export)\b(?:[^'"`;=]*?\bfrom)? '([^']+)';$|\bimport\('([^']+)'\)/gm)].flatMap(
    ([, still, lazy]) => {
      const name = still ?? lazy ?? '';
      if (name.startsWith('.')) return [join(dirname(file), name)];
      return name.startsWith('#') || name.startsWith('node:') ? [] : [`node_modules/${name}`];
    },
  );
}

/** Returns the folder of a room in which a file lies: a dot for the room itself, and undefined outside of the room. */
function folderOf(path: string, room: string): string | undefined {
  if (!lies(path, room)) return undefined;
  const [folder = '', ...rest] = (room === '.' ? path : path.slice(room.length + 1)).split('/');
  return rest.length === 0 ? '.' : folder;
}

function offencesOf(from: string, to: string): string[] {
  const found: string[] = [];
  for (const [room, floors] of Object.entries(ROOMS)) {
    const [above, below] = [folderOf(from, room), folderOf(to, room)];
    if (above === undefined || below === undefined || above === below) continue;
    const [high, low] = [above, below].map((folder) => floors.findIndex((floor) => floor.includes(folder)));
    if (high === undefined || low === undefined || low < 0 || high <= low)
      found.push(`${room}: ${above} is not above ${below}`);
  }
  for (const [place, allowed] of Object.entries(NOTHING_BUT))
    if (lies(from, place) && !liesIn(to, [place, ...allowed]))
      found.push(`${place} imports nothing but ${allowed.join(', ')}`);
  for (const [place, allowed] of Object.entries(ONLY_FROM))
    if (lies(to, place) && !liesIn(from, [place, ...allowed]))
      found.push(`only ${allowed.join(', ')} imports ${place}`);
  for (const [room, door] of Object.entries(DOORS))
    if (lies(to, room) && !lies(from, room) && to !== door) found.push(`come in by the door: ${door}`);
  return found;
}

export const offences = (files: Files): string[] =>
  [...files].flatMap(([from, text]) =>
    importsOf(from, text).flatMap((to) => offencesOf(from, to).map((rule) => `${from} imports ${to}. ${rule}`)),
  );

/** Returns the folders that lie in a circle of imports, in any room of the repository. */
export function circles(files: Files): string[] {
  const rooms = new Set(
    [...files.keys()].flatMap((path) => path.split('/').map((_, at, parts) => parts.slice(0, at).join('/') || '.')),
  );
  return [...rooms].flatMap((room) => {
    const below = new Map<string, Set<string>>();
    for (const [from, text] of files)
      for (const to of importsOf(from, text)) {
        const [above, under] = [nodeOf(from, room), nodeOf(to, room)];
        if (above !== undefined && under !== undefined && above !== under)
          below.set(above, (below.get(above) ?? new Set()).add(under));
      }
    return [...below.keys()].filter((node) => reach(node, below).has(node)).map((node) => join(room, node));
  });
}

/** Returns a file's folder in a room, or the file itself if it lies in the room. */
const nodeOf = (path: string, room: string) => {
  const folder = folderOf(path, room);
  return folder === '.' ? path.slice(path.lastIndexOf('/') + 1) : folder;
};

/** Returns all that can be reached from a place by at least one step. */
export function reach(from: string, next: ReadonlyMap<string, Iterable<string>>): Set<string> {
  const reached = new Set<string>();
  const left = [from];
  for (let at = left.pop(); at !== undefined; at = left.pop())
    for (const to of next.get(at) ?? []) if (!reached.has(to)) left.push(to) && reached.add(to);
  return reached;
}
