import { CommandError } from './backend.ts';

const UNAVAILABLE =
  /^(watch|unwatch|multi|exec|discard|b[lrz](pop|move|mpop).*|p?subscribe|p?unsubscribe|monitor|select)$/;

/** Parses the commands of `POST /pipeline` and `/multi-exec`. */
export function parseCommands(body: unknown): string[][] {
  if (!Array.isArray(body)) throw new CommandError('ERR failed to parse pipeline request');
  return body.map(parseCommand);
}

/** Parses one command: its name in lower case, and its arguments as text. */
export function parseCommand(body: unknown): string[] {
  if (!Array.isArray(body) || body.length === 0) throw new CommandError('ERR failed to parse command');
  const [name = '', ...args] = body.map((part) => (typeof part === 'object' ? JSON.stringify(part) : String(part)));
  const command = name.toLowerCase();
  if (UNAVAILABLE.test(command)) throw new CommandError(`ERR Command is not available: '${name}'`);
  return [command, ...args];
}

/** Parses a command that is written as a path, `GET /set/key/value?EX=10`. The body of a POST is its last argument. */
export function commandFromUrl(url: URL, body: string): string[] {
  const words = url.pathname
    .split('/')
    .filter((word) => word !== '')
    .map(decodeURIComponent);
  const options = [...url.searchParams].filter(([name]) => name !== '_token').flat();
  return parseCommand([...words, ...(body === '' ? [] : [body]), ...options.filter((word) => word !== '')]);
}
