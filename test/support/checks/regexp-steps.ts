/** A match of the rest from an index on; false makes the matcher go back to its last choice. */
type Then = (index: number) => boolean;
type Matcher = (index: number, then: Then) => boolean;
/** Steps taken in one search, which is abandoned beyond the limit. */
interface Count {
  steps: number;
  limit: number;
}

export class TooManySteps extends Error {}

/**
 * Counts the most steps a backtracking engine takes to search the text for the pattern from an index on. Assumes an
 * engine without shortcuts: one step for each character it examines and each turn of a repetition. Throws
 * `TooManySteps` beyond the limit.
 */
export function createCounter({ source, flags }: RegExp): (text: string, from?: number, limit?: number) => number {
  let text = '';
  const count: Count = { steps: 0, limit: Infinity };
  const step = () => {
    if (++count.steps > count.limit) throw new TooManySteps(`/${source}/ takes more than ${count.limit} steps`);
  };
  const match = compile(source, flags, () => text, step);
  return (given, from = 0, limit = Infinity) => {
    text = given;
    Object.assign(count, { steps: 0, limit });
    for (let index = from; index <= text.length; index++) {
      step();
      if (match(index, () => true) || flags.includes('y')) break;
    }
    return count.steps;
  };
}

function compile(source: string, flags: string, text: () => string, step: () => void): Matcher {
  let at = 0;
  let groups = 0;
  const captures: (string | undefined)[] = [];
  const charFlags = flags.replace(/[^imsu]/g, '');

  function alternatives(isBackward: boolean): Matcher {
    const choices = [sequence(isBackward)];
    while (source[at] === '|') {
      at++;
      choices.push(sequence(isBackward));
    }
    const [only] = choices;
    return choices.length === 1 && only ? only : (index, then) => choices.some((choice) => choice(index, then));
  }

  function sequence(isBackward: boolean): Matcher {
    const parts: Matcher[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(term(isBackward));
    if (isBackward) parts.reverse();
    return parts.reduceRight<Matcher>(
      (rest, part) => (index, then) => part(index, (next) => rest(next, then)),
      (index, then) => then(index),
    );
  }

  function term(isBackward: boolean): Matcher {
    const assertion = /^(?:\^|\$|\\b|\\B)/.exec(source.slice(at))?.[0];
    if (assertion !== undefined) {
      at += assertion.length;
      const pattern = new RegExp(assertion, `${charFlags}y`);
      return (index, then) => {
        step();
        pattern.lastIndex = index;
        return pattern.test(text()) && then(index);
      };
    }
    const reference = /^\\([1-9])/.exec(source.slice(at));
    if (reference !== null) {
      at += reference[0].length;
      return repeated(again(Number(reference[1]) - 1, isBackward), false);
    }
    const group = /^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/.exec(source.slice(at))?.[0];
    return group === undefined ? repeated(one(isBackward), true) : grouped(group, isBackward);
  }

  function grouped(opening: string, isBackward: boolean): Matcher {
    at += opening.length;
    const number = opening === '(' || opening.endsWith('>') ? groups++ : undefined;
    const looksBehind = opening === '(?<=' || opening === '(?<!';
    const isLook = looksBehind || opening === '(?=' || opening === '(?!';
    const body = alternatives(isLook ? looksBehind : isBackward);
    at++;
    if (!isLook) return repeated(number === undefined ? body : captured(number, body), false);
    const wanted = opening.endsWith('=');
    return (index, then) => {
      step();
      return body(index, () => true) === wanted && then(index);
    };
  }

  const captured =
    (number: number, body: Matcher): Matcher =>
    (index, then) =>
      body(index, (next) => {
        const former = captures[number];
        captures[number] = text().slice(Math.min(index, next), Math.max(index, next));
        if (then(next)) return true;
        captures[number] = former;
        return false;
      });

  const again =
    (number: number, isBackward: boolean): Matcher =>
    (index, then) => {
      step();
      const { length } = captures[number] ?? '';
      const from = isBackward ? index - length : index;
      return text().slice(from, from + length) === (captures[number] ?? '') && then(isBackward ? from : from + length);
    };

  /** Matches one character by asking the engine itself about that character alone. */
  function one(isBackward: boolean): Matcher {
    const atom =
      /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\x[\da-f]{2}|\\u\{[\da-f]+\}|\\u[\da-f]{4}|\\.|[^\\])/is.exec(
        source.slice(at),
      )?.[0];
    if (atom === undefined) throw new SyntaxError(`cannot read /${source}/ at ${at}`);
    at += atom.length;
    const pattern = new RegExp(`^${atom}$`, charFlags);
    const known = new Map<string, boolean>();
    const fits = (char: string) => {
      const before = known.get(char);
      if (before !== undefined) return before;
      known.set(char, pattern.test(char));
      return known.get(char) ?? false;
    };
    return (index, then) => {
      step();
      const char = text()[isBackward ? index - 1 : index];
      return char !== undefined && fits(char) && then(isBackward ? index - 1 : index + 1);
    };
  }

  function repeated(body: Matcher, isChar: boolean): Matcher {
    const quantifier = /^(?:[*+?]|\{(\d+)(,(\d*))?\})(\??)/.exec(source.slice(at));
    if (quantifier === null) return body;
    at += quantifier[0].length;
    const [whole, from, comma, to, isLazy] = quantifier;
    const least = from === undefined ? Number(whole.startsWith('+')) : Number(from);
    const most = from === undefined ? (whole.startsWith('?') ? 1 : Infinity) : comma ? Number(to || Infinity) : least;
    if (isChar && !isLazy) return (index, then) => greedily(body, index, then, { least, most });
    const turn =
      (done: number): Matcher =>
      (index, then) => {
        step();
        const again = () =>
          done < most && body(index, (next) => (next !== index || done < least) && turn(done + 1)(next, then));
        const leave = () => done >= least && then(index);
        return isLazy ? leave() || again() : again() || leave();
      };
    return turn(0);
  }

  return alternatives(false);
}

/** Matches a repeated character without using a stack frame for each repetition. */
function greedily(body: Matcher, index: number, then: Then, { least, most }: { least: number; most: number }): boolean {
  const places = [index];
  let place = index;
  const advance: Then = (next) => {
    place = next;
    return true;
  };
  while (places.length <= most && body(place, advance)) places.push(place);
  while (places.length > least) {
    const last = places.pop();
    if (last !== undefined && then(last)) return true;
  }
  return false;
}
