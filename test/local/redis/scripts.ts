import { createHash } from 'node:crypto';
import { CommandError } from './backend.ts';

/** Command to run in place of a script command, or its reply. */
export type Resolved = { command: string[] } | { reply: unknown };

/**
 * Keeps scripts by the hash of their exact text. They run without their `#!lua flags=…` line, which only the
 * vendor's server understands.
 */
export function createScripts() {
  const texts = new Map<string, string>();

  function load(text: string): string {
    const sha = createHash('sha1').update(text).digest('hex');
    texts.set(sha, text.replace(/^#!lua[^\n]*\n/, ''));
    return sha;
  }

  function lookUp(sha: string): string {
    const text = texts.get(sha.toLowerCase());
    if (text === undefined) throw new CommandError('NOSCRIPT No matching script. Please use EVAL.');
    return text;
  }

  return function resolve(command: string[]): Resolved {
    const [name = '', first = '', ...rest] = command;
    switch (name) {
      case 'eval':
      case 'eval_ro':
        return { command: ['eval', lookUp(load(first)), ...rest] };
      case 'evalsha':
      case 'evalsha_ro':
        return { command: ['eval', lookUp(first), ...rest] };
      case 'script':
        return { reply: script(first.toLowerCase(), rest) };
      default:
        return { command };
    }
  };

  function script(action: string, args: string[]): unknown {
    if (action === 'load' && args[0] !== undefined) return load(args[0]);
    if (action === 'exists') return args.map((sha) => (texts.has(sha.toLowerCase()) ? 1 : 0));
    if (action !== 'flush') throw new CommandError(`ERR unknown subcommand '${action}'. Try SCRIPT HELP.`);
    texts.clear();
    return 'OK';
  }
}
