export const USAGE = `tandem: find times, book meetings and follow webhooks from a terminal

  tandem availability <email> <email> [--duration 30] [--from 2026-12-01] [--to 2026-12-05]
                      [--context interview] [--fresh]
  tandem explain <email> <email> <time> [--duration 30]        why this time is offered, or what stands against it
  tandem schedule <email> <email> <time> --title <title> [--duration 30] [--require-free]
  tandem auto <email> <email> [--context interview] [--title <title>] [--duration 30] [--wait]
  tandem jobs <job_id> [--wait]
  tandem meetings <email> [--from <time>] [--to <time>] [--status scheduled]
  tandem reschedule <meeting_id> --by <email> --reason <text>
  tandem cancel <meeting_id>
  tandem webhooks listen [--forward-to http://localhost:3000/webhooks] [--secret whsec_…] [--since <time>]
  tandem webhooks replay <delivery_id> | --since <time>

The first address is the requester, in whose zone dates are read. Slots are told in each person's zone, meetings in UTC.
A <time> is ISO 8601 with an offset or Z, as 2026-12-01T14:00+01:00.

  --json                   the API's answer as it is, for scripts: also a refusal, and each event on a line of its own
  --metadata <key=value>   with schedule and auto, as often as there are pairs: kept with the meeting and told with it
  --idempotency-key <key>  with schedule, auto, reschedule and cancel: the same key is done once
  --help                   this text

It ends with 0, with 1 when the API refused or a job failed, with 2 when it was called in a wrong way.

  TANDEM_API_KEY           the platform's secret key, sk_live_…
  TANDEM_URL               where Tandem runs, as https://api.example.com
  TANDEM_WEBHOOK_SECRET    instead of --secret, which signs what is forwarded
`;

/** What was typed is no command; the sentence says why. */
export class UsageError extends Error {}
