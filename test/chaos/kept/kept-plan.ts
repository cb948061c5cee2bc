/**
 * Plan in words that stay valid when the generator of plans changes: each wave's cells, wishes and events that affect
 * the whole world.
 */
export interface KeptPlan {
  story: string;
  isForgiving: boolean;
  doesOffer?: boolean;
  /**
   * Entries of each wave: "update | C | is late"; "book 17" with its seed; "the clock jumps 17 40" with its seed and
   * its ms into the wave.
   */
  waves: { cells: string[]; wanted: string[]; calamities: string[] }[];
}
