/** Not read from package.json, which has another place once the package is built. A test checks that the two agree. */
export const VERSION = '1.0.0';

export const USAGE = `tandem: find times, book meetings and follow webhooks from a terminal

  tandem status [<email>]                                      the platform and its usage, or one person's connection
  tandem connect <email> [--wait]                              the link with which a person connects their calendar
  tandem availability <email> <email> [--duration 30] [--from 2026-12-01] [--to 2026-12-05]
                      [--when "Thursday afternoon"] [--context interview] [--fresh]
  tandem explain <email> <email> <time> [--duration 30] [--when <text>]
                                                               why a time is offered, or what rules it out
  tandem schedule <email> <email> <time> --title <title> [--duration 30] [--require-free]
  tandem auto <email> <email> [--context interview] [--when <text>] [--title <title>] [--duration 30] [--wait]
  tandem batch <file.csv> [--dry-run] [--duration 30] [--from 2026-12-01] [--to 2026-12-05]
               [--max-per-person 8] [--max-per-day 3] [--out results.csv]
                                                               places a whole round of meetings together, and books
                                                               it; --dry-run only shows where the meetings would be
  tandem batch show <batch_id> [--wait] [--out results.csv]
  tandem batch commit <batch_id> [--out results.csv]           books what a dry run has placed
  tandem batch cancel <batch_id>                               stops what is not booked yet
  tandem propose <email> <email> [<time> …] --title <title> [--count 3] [--when <text>] [--duration 30]
                 [--expires-in 48]
                 [--requester-name <name>] [--guest-zone <IANA time zone>]
                                                               offers times and holds them; Tandem picks --count
                                                               times if you name none
  tandem proposals [<proposal_id>] [--status open] [--email <email>]
  tandem withdraw <proposal_id>
  tandem jobs <job_id> [--wait]
  tandem cancel-job <job_id>
  tandem meetings <email> [--from <time>] [--to <time>] [--status scheduled]
  tandem reschedule <meeting_id> --by <email> --reason <text>
  tandem cancel <meeting_id>
  tandem webhooks listen [--forward-to http://localhost:3000/webhooks] [--secret whsec_…] [--since <time>]
  tandem webhooks replay <delivery_id> | --since <time>
  tandem trigger <event>                                       makes a webhook event happen in a local world; a
                                                               hosted platform gets a sample of it

An <event> is user.calendar.connected, user.calendar.disconnected, user.calendar.refresh_failed,
meeting.scheduling.completed, meeting.scheduling.failed, meeting.scheduled, meeting.updated, meeting.cancelled,
platform.usage_warning, platform.usage_limit_reached, platform.security_changed, batch.completed,
proposal.accepted, proposal.declined, proposal.countered, proposal.expired or proposal.withdrawn.

The first address is the requester; dates are in the requester's time zone. Slots are shown in each person's time zone,
meetings in UTC. A <time> is ISO 8601 with an offset or Z, such as 2026-12-01T14:00+01:00.

A <file.csv> is in UTF-8 and names its columns on the first line: reference, requester, attendee, and if you like
duration_minutes, title, context, priority (0 to 9) and metadata.<key>. A column is separated by a comma, a semicolon or
a tab, and may be quoted. Progress goes to standard error. Ctrl-C ends the command, not the batch.

  --json                   prints the API's answers and errors as JSON, for scripts; each event is one line
  --metadata <key=value>   with schedule, auto and propose, repeatable: stored and returned with the result
  --idempotency-key <key>  with schedule, auto, batch, propose, reschedule and cancel: the same key takes effect once;
                           batch without --dry-run makes one from the file, so that it is not booked twice in 24 hours
  --help                   prints this text
  --version                prints the version

The exit code is 0 on success, 1 if the API answered with an error, a job failed or a meeting of a batch got no time,
and 2 for wrong usage.

  TANDEM_API_KEY           the platform's secret key, sk_live_…
  TANDEM_URL               address of Tandem, such as https://api.example.com
  TANDEM_WEBHOOK_SECRET    used if --secret is not given; signs forwarded events
`;

export class UsageError extends Error {}
