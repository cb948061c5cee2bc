const WHEN =
  'Tuesday 2026-12-08, 10:00 to 10:30 for ada@example.com (Europe/Berlin, +01:00); in UTC 2026-12-08T09:00:00Z to 2026-12-08T09:30:00Z';

/** Sentence patterns for AI agents: the words around sentences about times, and the advice after a failed job. */
export const AGENTS = {
  'agent.time': [
    '{weekday} {date}, {from} to {to} for {email} ({zone}, {offset})',
    {
      weekday: 'Tuesday',
      date: '2026-12-08',
      from: '10:00',
      to: '10:30',
      email: 'ada@example.com',
      zone: 'Europe/Berlin',
      offset: '+01:00',
    },
  ],
  'agent.utc': ['in UTC {from} to {to}', { from: '2026-12-08T09:00:00Z', to: '2026-12-08T09:30:00Z' }],
  'agent.offsets': ['{before}, then {after}', { before: '-04:00', after: '-05:00' }],
  'agent.one_of': [
    '{number}. {when}. {reason}',
    {
      number: '1',
      when: WHEN,
      reason: 'Tuesday, 8 December at 10:00 in Berlin, 9:00 in London: a free morning for both.',
    },
  ],
  'agent.best': ['The best times from {first} to {last}:', { first: '2026-12-08', last: '2026-12-21' }],
  'agent.no_times': ['The two people have no free time in common.', {}],
  'agent.own_times': [
    'You are free at these times from {first} to {last}:',
    { first: '2026-12-08', last: '2026-12-21' },
  ],
  'agent.own_none': [
    'You have no free time of {minutes} minutes from {first} to {last}.',
    { minutes: '30', first: '2026-12-08', last: '2026-12-21' },
  ],
  'agent.own_time': ['{when}.', { when: WHEN }],
  'agent.explained': ['{when}. {explanation}', { when: WHEN, explanation: 'It suits both.' }],

  // Previews, and what was done.
  'agent.not_yet': ['Nothing has been done yet.', {}],
  'agent.confirm': [
    'To do exactly this, call {tool} again before {until} with the same arguments and confirm_token: {token}',
    { tool: 'schedule_auto', until: '2026-12-07T09:10:00Z', token: 'eyJ…' },
  ],
  'agent.declined': ['Nothing was done, because the user did not agree.', {}],
  'agent.would_book': ['This would book "{title}" on {when}.', { title: 'Talk', when: WHEN }],
  'agent.no_conflicts': ['Nothing conflicts with it.', {}],
  'agent.conflicts': [
    'Conflicts: {conflicts}',
    { conflicts: 'For Ada, 9:00 to 9:30 in Berlin on Tuesday, 8 December is not free.' },
  ],
  'agent.booked': ['Booked "{title}" as {meeting} on {when}.', { title: 'Talk', meeting: 'mtg_1', when: WHEN }],
  'agent.invited': ['Both people are invited.', {}],
  'agent.overlaps': ['The meeting overlaps another meeting.', {}],
  'agent.has_meeting': [
    '{email} already has {meeting} then: {when}.',
    { email: 'ada@example.com', meeting: 'mtg_1', when: WHEN },
  ],
  'agent.link': ['Video: {link}', { link: 'https://meet.google.com/abc-defg-hij' }],
  'agent.no_link': ['The video link is not ready yet.', {}],
  'agent.link_later': ['list_meetings will show it.', {}],
  'agent.would_cancel': [
    'This would cancel "{title}", {meeting}, on {when}, and notify both people.',
    { title: 'Talk', meeting: 'mtg_1', when: WHEN },
  ],
  'agent.no_undo': ['The cancellation could not be undone.', {}],
  'agent.cancelled': [
    'Cancelled "{title}", {meeting}, which was on {when}.',
    { title: 'Talk', meeting: 'mtg_1', when: WHEN },
  ],
  'agent.event_deleted': ['Its event was removed from both calendars.', {}],
  'agent.event_kept': [
    'Its event stays on the calendar, because the person who owns the calendar disconnected it.',
    {},
  ],
  'agent.event_unknown': ['The calendar could not be reached.', {}],
  'agent.event_later': ['Tandem will remove the event once it can.', {}],
  'agent.would_move': ['This would move {meeting} to {when}.', { meeting: 'mtg_1', when: WHEN }],
  'agent.moved': ['Moved to {when}.', { when: WHEN }],
  'agent.new_id': ['Its new ID is {meeting}.', { meeting: 'mtg_2' }],

  // Times that are offered to somebody.
  'agent.would_offer': [
    'This would offer {email} these times for "{title}", and hold them for at most {hours} hours:',
    { email: 'bob@example.com', title: 'Talk', hours: '48' },
  ],
  'agent.offered': [
    'Offered {email} these times for "{title}" as {proposal}:',
    { email: 'bob@example.com', title: 'Talk', proposal: 'prop_1' },
  ],
  'agent.offered_until': ['The times are held until {until}.', { until: '2026-12-07T09:10:00Z' }],
  'agent.offer_link': [
    'Send this link to {email} alone, who chooses a time there: {url}',
    { email: 'bob@example.com', url: 'https://tandem.example/p/vT3…' },
  ],

  // Lists of meetings.
  'agent.count': ['{count}.', { count: '12 meetings' }],
  'agent.page': ['This page has {count}.', { count: '10' }],
  'agent.next_page': ['Get the next page with cursor {cursor}.', { cursor: 'b2Zmc2V0' }],
  'agent.meeting': [
    '{meeting} {status} "{title}": {when}.',
    { meeting: 'mtg_1', status: 'scheduled', title: 'Talk', when: WHEN },
  ],
  'agent.no_meetings': ['No meetings match.', {}],

  // A person's own settings.
  'agent.would_change': ['This would change {changes}.', { changes: 'buffer_minutes from 0 to 15' }],
  'agent.change': ['{name} from {before} to {after}', { name: 'buffer_minutes', before: '0', after: '15' }],
  'agent.no_change': ['This would change nothing.', {}],
  'agent.saved': ['Saved: {changes}.', { changes: 'buffer_minutes is 15' }],
  'agent.value': ['{name} is {value}', { name: 'buffer_minutes', value: '15' }],
  'agent.no_fields': ['You sent no fields, so nothing was changed.', {}],

  // The refusal of a time without a UTC offset.
  'agent.no_zone': [
    '`{field}` has no offset, so {clock} could be in any time zone.',
    { field: 'start_time', clock: '10:00' },
  ],
  'agent.send': ['Send {times}.', { times: '2026-12-08T10:00:00Z for UTC' }],
  'agent.for_clock': [
    '{time} for the clock of {email} ({zone})',
    { time: '2026-12-08T10:00:00+01:00', email: 'ada@example.com', zone: 'Europe/Berlin' },
  ],
  'agent.for_utc': ['{time} for UTC', { time: '2026-12-08T10:00:00Z' }],

  // Jobs.
  'job.accepted': ['Tandem is choosing and booking a time as job {job}.', { job: 'job_1' }],
  'job.wait': ['Call get_job with this job_id in about {seconds} seconds.', { seconds: '5' }],
  'job.running': ['Job {job} is still in progress.', { job: 'job_1' }],
  'job.ask_again': ['Call get_job again in a few seconds.', {}],
  'job.failed': ['Job {job} failed with {code}.', { job: 'job_1', code: 'INTERNAL_ERROR' }],
  'job.failed_unbooked': [
    'Job {job} failed with {code}, and nothing was booked.',
    { job: 'job_1', code: 'NO_AVAILABILITY' },
  ],
  'job.booked': ['Job {job} booked {meeting} on {when}.', { job: 'job_1', meeting: 'mtg_1', when: WHEN }],
  'advice.shorter': ['Try a shorter meeting, or agree on a time together.', {}],
  'advice.connect': [
    'Send the person the link from GET /v1/platform/oauth-url, so that they can connect their calendar.',
    {},
  ],
  'advice.reconnect': [
    'Send the person the link from GET /v1/platform/oauth-url, so that they can connect their calendar again.',
    {},
  ],
  'advice.then': ['Then call POST /v1/schedule/auto again.', {}],
  'advice.time_zone': [
    'Ask the person to set `timezone` to an IANA time zone, such as Europe/Berlin, with PUT /v1/user/preferences.',
    {},
  ],
  'advice.later': ['Call POST /v1/schedule/auto again in a few minutes.', {}],
  'advice.next_month': ['Wait until next month, when the limit resets.', {}],
  'advice.upgrade': ['Upgrade your plan.', {}],
  'advice.still_wanted': ['Call POST /v1/schedule/auto again if you still want the meeting.', {}],
  'advice.again': ['Call POST /v1/schedule/auto again.', {}],
} as const;
