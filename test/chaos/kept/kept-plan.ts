/** A plan in words that stay when what draws the plans changes: a wave's cells, what is wanted, what befalls. */
export interface KeptPlan {
  story: string;
  isForgiving: boolean;
  /** "update | C | is late"; "book 17", with its seed; "the clock jumps 17 40", with its seed and the ms into the wave. */
  waves: { cells: string[]; wanted: string[]; calamities: string[] }[];
}
