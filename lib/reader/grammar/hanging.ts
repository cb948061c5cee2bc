import { type Clause, type Item, tagsOf } from './clauses.ts';
import type { Token } from './tokens.ts';

/** The signs of a list or a break, and no single full stop, which ends what was said. */
const SIGNS = /^(?:[:;,\n-]|\.{2,})+$/;
/** Negations that are nothing without what follows, unlike the one of "I can't, Monday". */
const BARE = /^(?:not|never|avoid|avoiding|without)$/;

/** Reads a refusal anew before each of the times in a list after it: "not: Monday", "no calls on:\n- Mondays\n- Fridays". */
export function withHanging(clauses: readonly Clause[], tokens: readonly Token[], isReason: boolean) {
  const read: Token[] = [];
  const unclear = new Set<Token>();
  let head: Clause | undefined;
  let kind: 'read' | 'unclear' | undefined;
  for (const [i, clause] of clauses.entries()) {
    const last = clauses[i - 1];
    const signs = signsBetween(last, clause).replace(')', ',');
    const isTimes = isBare(clause);
    const [before, own] = [tokens.slice(last?.to ?? 0, clause.from), tokens.slice(clause.from, clause.to)];
    if (last && (kind === undefined || !isTimes)) {
      const isSilent = /^[fjz]*$/.test(tagsOf(clause));
      const found = isTimes || isSilent ? kindOf(last, isTimes ? signs : signs.replace('(', ',')) : undefined;
      const isRemark = /^[,(-]$|^\n+-$/.test(signs) && !/:/.test(signsBetween(clause, clauses[i + 1]));
      if (found) [head, kind] = isTimes ? [last, found] : [clause, 'unclear'];
      else if (!isRemark) kind = undefined;
    } else if (!SIGNS.test(signs)) kind = undefined;
    if (!isTimes || kind !== 'read' || head === undefined) read.push(...before, ...own);
    else {
      if (last !== head) read.push(...before, ...tokens.slice(head.from, head.to));
      read.push(...own.filter(({ word }) => word !== ':'));
    }
    if (isTimes && kind === 'unclear') for (const token of own) unclear.add(token);
  }
  read.push(...tokens.slice(clauses.at(-1)?.to ?? 0));
  return { tokens: read, unclear };

  function signsBetween(one?: Clause, other?: Clause): string {
    return one && other ? wordsOf(one.to, other.from).join('') : '';
  }

  function wordsOf(from: number, to: number): string[] {
    return tokens.slice(from, to).map(({ word }) => word);
  }

  function isBare({ items, isQuestion }: Clause): boolean {
    const isPlain = ({ tag, from }: Item) => tag === 'f' || tokens[from]?.word === 'please';
    return !isQuestion && items.every((one) => one.tag === 'T' || isPlain(one)) && tagsOf({ items }).includes('T');
  }

  /** Tells what becomes of bare times after a clause, if the refusal in it lacks its own. */
  function kindOf({ items, from, to }: Clause, signs: string): 'read' | 'unclear' | undefined {
    const spoken = items.filter(({ tag }) => tag !== 'f');
    const tags = tagsOf({ items: spoken });
    const at = spoken.findLastIndex(({ tag }) => /[neb]/.test(tag));
    const negation = spoken[at];
    // "Any day, but Friday" may except it.
    if (tags === '' && signs.includes('but')) return 'unclear';
    if (negation === undefined || !SIGNS.test(signs)) return undefined;
    const [front, tail] = [tags.slice(0, at), tags.slice(at + 1)];
    const words = wordsOf(negation.from, to);
    const isOpen = /[jz]$/.test(tail) || (negation.tag === 'e' && !/^ex(?:cept|clud)ed$/.test(words[0] ?? ''));
    if (/[TDCUOBZ]/.test(tail) || (front.includes('T') && !isOpen)) return undefined;
    const isList = /:|\n-/.test(signs) && !words.some((word) => /^(?:it|this|that)$/.test(word));
    if (isList) return 'read';
    if (negation.tag === 'b') return /[;\n.]/.test(signs) ? 'unclear' : undefined;
    if (isReason && signs === ',' && wordsOf(from, to).at(-1) === 'no') return undefined;
    const isAlone = isOpen || (tail === '' && BARE.test(words.at(-1) ?? ''));
    if (isAlone && !front.includes('s')) return 'read';
    return /^[jzvk]*$/.test(tail) ? 'unclear' : undefined;
  }
}
