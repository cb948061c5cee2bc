/**
 * Statements whose cost may grow with the database, keyed by text that only the statement has, each with the reason.
 */
const REASONS: [RegExp, string][] = [
  [
    /strpos\(lower\("meetings"\."title"\)/,
    'no index finds a part of a title, so a search reads the meetings of 92 days, or all of one person',
  ],
  [
    /inner join "meeting_people" "own" .* where \("own"\."user_id" = /s,
    'GET /v1/user/export reads all that a person has, some at a time',
  ],
  [
    /"meeting_people" "own" .*where \(+"own"\."platform_id" = /s,
    'a page of a person’s meetings, and their count, look each row up in up to four indexes, which are a level deeper then',
  ],
  [
    /"meetings"\."platform_id" = .*"meetings"\."starts_at" >= .* limit /s,
    'ten thousand meetings leave the platform less than a page in the two months that are asked for',
  ],
  [
    /^select "meetings"\."id", .* from "meetings" .*where .*"meetings"\."platform_id" = /s,
    'a page of a platform’s meetings looks each row up in three indexes, which are a level deeper then',
  ],
  [
    /^select "meetings"\."platform_id" = \$1, "meetings"\."status", "meetings"\."lease_until"|^select "users"\."id", "users"\."email", .* from standing_rules r/s,
    'a meeting’s people, their calendars and their rules are looked up in some ten indexes, which are a level deeper then',
  ],
  [
    /jsonb_agg\(jsonb_build_object\('email', p\.email, 'response'/,
    'what a person has to come is looked up meeting by meeting in two indexes, which are a level deeper then',
  ],
  [
    /^\s*update "busy_snapshots" set due_at = .*with recursive tenants/s,
    'a look at the index for each of twenty platforms, all of which is one page at first',
  ],
  [
    /^\s*update "deliveries" w set asked_at = .*with recursive tenants/s,
    'a look at the index for each of twenty platforms, all of which is one page at first',
  ],
  [
    /sum\("made"\).* from "meeting_months" where "meeting_months"\."party" = /s,
    'the months of a platform, one row for each of some twenty-four, lie on other pages where many people have months too',
  ],
  [
    /^\s*delete from "batches" .*with recursive tenants/s,
    'a look at the index for each of twenty platforms, of which ten thousand meetings leave only some a batch',
  ],
  [
    /lower\("holds"\."during"\).* from "holds" inner join "users"|\(select h\.user_id, h\.meeting_id from holds h where/s,
    'the GiST index of who is held when has more branches to look into; a millisecond at a million meetings',
  ],
  [
    /insert into "holds" \(.*left_on_day\)/s,
    'a booking looks both people up in the GiST index of who is held when, twice each, and writes them into three indexes, all of which are deeper then; half a millisecond at ten million meetings',
  ],
  [
    /from "deliveries" (?:left join "meetings" .* )?where \(?"deliveries"\."platform_id" = \$\d+ .*order by .* desc limit/s,
    'a page of the log reads a page of the table for each of its rows where the database is large enough to scatter them',
  ],
  [
    /^select distinct "meetings"\."id".* from "holds" inner join "holds" "other"/s,
    'what two people hold with each other is looked for among all that one of the two has to come, of whom the planner chooses',
  ],
  [
    /from "connections" inner join "users" .* order by "connections"\."connected_at" asc/s,
    'ten thousand meetings leave the platform a hundred people, fewer than a page or, without a limit, a statement reads of them',
  ],
  [
    /^select count\(\*\) from "connections" where \("connections"\."platform_id"/,
    'how many people a platform has is counted in their index, some sixty to a page; two milliseconds for ten thousand',
  ],
  [
    /^\s*select \(select count\(\*\) from "meetings" m where m\.platform_id|^select to_char\("created_at" at time zone 'UTC', 'YYYY-MM-DD'\)/,
    'the first page counts what happened in a day, and the meetings that were made in thirty days, one by one; the bench’s smallest size has no more than a few hours of them',
  ],
  [
    /^\s*select \(select count\(\*\)::int from \(\s*select from "deliveries"/,
    'deliveries are counted up to a thousand of each status, of which ten thousand meetings leave fewer: at 300,000 meetings it reads 4 % more than at 100,000',
  ],
];

/** Returns the reason why this statement's cost may grow with the database, or undefined if it may not. */
export const reasonFor = (query: string): string | undefined => REASONS.find(([pattern]) => pattern.test(query))?.[1];
