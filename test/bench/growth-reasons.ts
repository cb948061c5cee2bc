/** Statements that may grow, by what only they say, and why. */
const REASONS: [RegExp, string][] = [
  [
    /filter \(where "meetings"\."rescheduled_from" is null\), count/,
    'GET /v1/platform/dashboard counts a platform’s whole history; monthly counters are to take its place',
  ],
  [
    /filter \(where .*"responded_at" - .*<= 2\)/s,
    'GET /v1/user/info counts a person’s whole history; monthly counters are to take its place',
  ],
  [
    /inner join "meeting_people" "own" .* where \("own"\."user_id" = /s,
    'GET /v1/user/export reads all that a person has, some at a time',
  ],
  [
    /inner join "meeting_people" "own" .* where \("own"\."platform_id" = /s,
    'a page of a person’s meetings looks each row up in four indexes, which are a level deeper then',
  ],
  [
    /lower\("holds"\."during"\).* from "holds" inner join "users"/s,
    'the GiST index of who is held when has more branches to look into; a millisecond at a million meetings',
  ],
  [
    /from "deliveries" where "deliveries"\."platform_id" = \$1 .*order by .* desc limit/s,
    'a page of the log reads a page of the table for each of its rows where the database is large enough to scatter them',
  ],
  [
    /^select distinct "meetings"\."id".* from "holds" inner join "holds" "other"/s,
    'what two people hold with each other grows by the bench’s own bookings',
  ],
];

/** Why this statement may grow with the database; undefined for one that may not. */
export const reasonFor = (query: string): string | undefined => REASONS.find(([pattern]) => pattern.test(query))?.[1];
