import type { Trace } from '../trace.ts';

/**
 * A key is refused by every Worker from the moment at which its replacement was answered, however many remember it. No
 * Worker refuses a key that nobody has replaced.
 */
export const strangeKeys = ({ keyUses, keyEnds }: Trace): string[] =>
  keyUses.flatMap(({ key, worker, status, sent, came }) => {
    const end = keyEnds.find((one) => one.key === key);
    if (status < 400 && end !== undefined && end.done < sent)
      return [`Worker ${worker} accepted a key after it was replaced`];
    if (status === 401 && (end === undefined || came < end.asked))
      return [`Worker ${worker} refused a key that nobody had replaced`];
    return [];
  });
