import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCounter, TooManySteps } from '../checks/regexp-steps.ts';

const SOURCES = ['functions', 'lib', 'schema'];
const LITERAL =
  /(?<=(?:[(,=:[!&|?{};]|\breturn|=>)\s*)\/(?![*/])((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?=[\s,.;)\]])/g;

/** Lists every regular expression literal in the product's source. */
export function literals(): RegExp[] {
  return SOURCES.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((f) => join(folder, f)),
  )
    .filter((file) => /\.tsx?$/.test(file) && !file.includes('node_modules'))
    .flatMap((file) => [...withoutComments(readFileSync(file, 'utf8')).matchAll(LITERAL)])
    .map(([, source = '', flags]) => new RegExp(source, flags));
}

const withoutComments = (source: string) => source.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');

/** More steps than any text of a thousand characters needs. An exploding search is abandoned here, before it runs. */
const LIMIT = 3_000_000;
const MOST = 3;

/** Runs the work and reports each search for a regular expression to `search`, however the expression was made. */
function listening(work: () => unknown, search: (pattern: RegExp, text: string, from: number) => void): void {
  const { exec } = RegExp.prototype;
  const recorded = function (this: RegExp, text: string) {
    RegExp.prototype.exec = exec;
    search(this, String(text), this.global || this.sticky ? this.lastIndex : 0);
    RegExp.prototype.exec = recorded;
    return exec.call(this, text);
  };
  RegExp.prototype.exec = recorded;
  try {
    work();
  } finally {
    RegExp.prototype.exec = exec;
  }
}

/** Lists every regular expression the work searches for. */
export function patternsOf(work: () => unknown): RegExp[] {
  const patterns = new Set<RegExp>();
  listening(work, (pattern) => patterns.add(pattern));
  return [...patterns];
}

const counters = new Map<string, ReturnType<typeof createCounter>>();

function stepsOf(work: () => unknown): number {
  let steps = 0;
  listening(work, (pattern, text, from) => {
    const counter = counters.get(String(pattern)) ?? createCounter(pattern);
    counters.set(String(pattern), counter);
    steps += counter(text, from, LIMIT);
  });
  return steps;
}

/** Returns true if a text of a thousand characters takes more than three times the steps of one with five hundred. */
export function growsTooFast(read: (text: string) => unknown, make: (length: number) => string): boolean {
  try {
    return stepsOf(() => read(make(1_000))) > MOST * stepsOf(() => read(make(500)));
  } catch (error) {
    if (error instanceof TooManySteps) return true;
    throw error;
  }
}
