/** Sentence patterns for AI agents: the words around sentences about times, and the advice after a failed job. */
export const AGENTS = {
  'agent.time': '{weekday} {date}, {from} to {to} for {email} ({zone}, {offset})',
  'agent.utc': 'in UTC {from} to {to}',
  'agent.offsets': '{before}, then {after}',
  'agent.one_of': '{number}. {when}. {reason}',
  'agent.best': 'The best times from {first} to {last}:',
  'agent.no_times': 'The two people have no free time in common.',
  'agent.own_times': 'You are free at these times from {first} to {last}:',
  'agent.own_none': 'You have no free time of {minutes} minutes from {first} to {last}.',
  'agent.own_time': '{when}.',
  'agent.explained': '{when}. {explanation}',

  // Previews, and what was done.
  'agent.not_yet': 'Nothing has been done yet.',
  'agent.changed': 'Nothing has been done, because what the preview showed has changed since.',
  'agent.not_agreed': 'Nobody has agreed to this: tell the person what has changed, and confirm only once they agree.',
  'agent.confirm':
    'To do exactly this, call {tool} again before {until} with the same arguments, but instead of preview with confirm_token: {token}',
  'agent.declined': 'Nothing was done, because the user did not agree.',
  'agent.would_book': 'This would book "{title}" on {when}.',
  'agent.with': 'With {name} "{value}".',
  'agent.no_conflicts': 'Nothing conflicts with it.',
  'agent.conflicts': 'Conflicts: {conflicts}',
  'agent.booked': 'Booked "{title}" as {meeting} on {when}.',
  'agent.only_free': 'With require_free, it is booked only if both people are free.',
  'agent.same':
    'Nothing was booked, because the two people have the same meeting already: {meeting} "{title}", {when}. For a second one, set require_free to false.',
  'agent.invited': 'Both people are invited.',
  'agent.overlaps': 'The meeting overlaps another meeting.',
  'agent.has_meeting': '{email} already has {meeting} then: {when}.',
  'agent.link': 'Video: {link}',
  'agent.no_link': 'The video link is not ready yet.',
  'agent.link_later': 'list_meetings will show it.',
  'agent.would_cancel': 'This would cancel "{title}", {meeting}, on {when}, and notify both people.',
  'agent.no_undo': 'The cancellation could not be undone.',
  'agent.cancelled': 'Cancelled "{title}", {meeting}, which was on {when}.',
  'agent.event_deleted': 'Its event was removed from both calendars.',
  'agent.event_kept': 'Its event stays on the calendar, because the person who owns the calendar disconnected it.',
  'agent.event_unknown': 'The calendar could not be reached.',
  'agent.event_later': 'Tandem will remove the event once it can.',
  'agent.would_move': 'This would move "{title}", {meeting}, to {when}.',
  'agent.now_on': 'It is now on {when}.',
  'agent.moved': 'Moved to {when}.',
  'agent.new_id': 'Its new ID is {meeting}.',

  // Questions that a client shows the person in whose name an agent acts.
  'ask.again': 'This has changed since the last question.',
  'ask.book': 'Book "{title}" for {who} on {when}, for {length}?',
  'ask.move': 'Move "{title}" of {who} from {old} to {when}?',
  'ask.cancel': 'Cancel "{title}" of {who} on {when}?',
  'ask.offer': 'Offer {who} these times with {other}, {length} each, for "{title}", and hold them for at most {hours}?',
  'ask.offer_move':
    'Offer {who} these times with {other} instead of {old}, {length} each, for "{title}", and hold them for at most {hours}?',
  'ask.choice': '{number}. {reason}',

  // Times that are offered to somebody.
  'agent.would_offer': 'This would offer {email} these times for "{title}", and hold them for at most {hours}:',
  'agent.would_offer_move':
    'This would offer {email} these times for "{title}", {meeting}, instead of {old}, and hold them for at most {hours}:',
  'agent.offered': 'Offered {email} these times for "{title}" as {proposal}:',
  'agent.offered_until': 'The times are held until {until}.',
  'agent.offer_link': 'Send this link to {email} alone, who chooses a time there: {url}',

  // Arguments that a client adds to every call.
  'agent.ignored': 'This tool ignored the unknown arguments {value}.',

  // Lists of meetings.
  'agent.count': '{count}.',
  'agent.page': 'This page has {count}.',
  'agent.next_page': 'Get the next page with cursor {cursor}.',
  'agent.meeting': '{meeting} {status} "{title}": {when}.',
  'agent.no_meetings': 'No meetings match.',

  // A person's own settings.
  'agent.would_change': 'This would change {changes}.',
  'agent.change': '{name} from {before} to {after}',
  'agent.no_change': 'This would change nothing.',
  'agent.saved': 'Saved: {changes}.',
  'agent.value': '{name} is {value}',
  'agent.no_fields': 'You sent no fields, so nothing was changed.',

  // The refusal of a time without a UTC offset.
  'agent.no_zone': '`{field}` has no offset, so {clock} could be in any time zone.',
  'agent.send': 'Send {times}.',
  'agent.for_clock': '{time} for the clock of {email} ({zone})',
  'agent.for_utc': '{time} for UTC',

  // Jobs.
  'job.accepted': 'Tandem is choosing and booking a time as job {job}.',
  'job.wait': 'Call get_job with this job_id in about {seconds} seconds.',
  'job.running': 'Job {job} is still in progress.',
  'job.ask_again': 'Call get_job again in a few seconds.',
  'job.failed': 'Job {job} failed with {code}.',
  'job.failed_unbooked': 'Job {job} failed with {code}, and nothing was booked.',
  'job.booked': 'Job {job} booked {meeting} on {when}.',
  'advice.shorter': 'Try a shorter meeting, or agree on a time together.',
  'advice.connect':
    'Send the person the link from GET /v1/platform/oauth-url, so that they can connect their calendar.',
  'advice.reconnect':
    'Send the person the link from GET /v1/platform/oauth-url, so that they can connect their calendar again.',
  'advice.then': 'Then call POST /v1/schedule/auto again.',
  'advice.time_zone':
    'Ask the person to set `timezone` to an IANA time zone, such as Europe/Berlin, with PUT /v1/user/preferences.',
  'advice.later': 'Call POST /v1/schedule/auto again in a few minutes.',
  'advice.check_calendar':
    'Ask the person to check that their Google account still has a calendar and that they may change it.',
  'advice.other_first':
    'If it has none, put the other person first in `attendees`, because the event is made on the calendar of the first.',
  'advice.next_month': 'Wait until next month, when the limit resets.',
  'advice.upgrade': 'Upgrade your plan.',
  'advice.still_wanted': 'Call POST /v1/schedule/auto again if you still want the meeting.',
  'advice.again': 'Call POST /v1/schedule/auto again.',
} as const;
