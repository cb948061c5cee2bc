/**
 * Returns a number in [0, 1) from a hash (FNV-1a) of the user's id, always the same for one user. Callers use it to
 * spread the reads of different users' calendars over time.
 */
export function fractionOf(userId: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < userId.length; at++) hash = Math.imul(hash ^ userId.charCodeAt(at), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
