interface Event {
  eventId: string;
  title: string;
  location: string;
  meetLink: string | null;
  start: number;
  end: number;
  requesterEmail: string;
  requesterName: string | null;
  otherEmail: string;
  now: number;
}

/** The UID (RFC 5545) is that of Google's invitation, so that a calendar that gets both shows one event. */
export function calendarFile({ eventId, title, location, meetLink, start, end, ...event }: Event): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tandem//Proposal//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${eventId}@google.com`,
    `DTSTAMP:${stamp(event.now)}`,
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(end)}`,
    `SUMMARY:${escaped(title)}`,
    `LOCATION:${escaped(location)}`,
    ...(meetLink === null ? [] : [`URL:${meetLink}`, `DESCRIPTION:${escaped(meetLink)}`]),
    `ORGANIZER${named(event.requesterName)}:mailto:${event.requesterEmail}`,
    `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${event.otherEmail}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

/** Replaces quotation marks, because a parameter such as `CN` cannot contain them. */
const named = (name: string | null) => (name === null ? '' : `;CN="${name.replaceAll('"', '’')}"`);

/** Formats an instant in UTC: 20261125T150000Z. */
const stamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;

const escaped = (text: string) =>
  text
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(/\r\n|[\r\n\u2028\u2029]/g, '\\n')
    .replaceAll(/\p{Cc}/gu, '');

const MOST_BYTES = 74;

/** Folds a line of a calendar file after 74 bytes, without splitting a character. */
function folded(line: string): string {
  const encoder = new TextEncoder();
  let text = '';
  let bytes = 0;
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (bytes + size > MOST_BYTES) {
      text += '\r\n ';
      bytes = 1;
    }
    text += character;
    bytes += size;
  }
  return text;
}
