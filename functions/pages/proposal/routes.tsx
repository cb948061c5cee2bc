import { type Context, Hono } from 'hono';
import { sha256 } from '../../../lib/kit/ids.ts';
import { openPage } from '../../../lib/meetings/index.ts';
import { zonesMeant } from '../../../lib/person/given-zone.ts';
import { listed } from '../../../lib/words/people.ts';
import { readForm } from '../../http/body.ts';
import type { AppEnv } from '../../http/env.ts';
import { countByIp, countByToken } from '../../middleware/rate-limit.ts';
import { sameOrigin } from '../../middleware/request.ts';
import { ZoneField } from '../components.tsx';
import { answerForm } from './answer.tsx';
import { addressOf, hideAddress, renderForGuest, renderUnknown, type Seen, seenAt } from './frame.tsx';
import { type Outcome, renderSeen } from './render.tsx';

/** Only a form changes anything. */
export const proposalPages = new Hono<AppEnv>();

/** Hashes a malformed token too, so that its answer takes as long as that to a well-formed one. */
const tokenHashOf = (c: Context<AppEnv>) => sha256(c.req.path.split('/')[2] ?? '');

// The URL contains a secret token, which this keeps out of search engines and away from other sites.
proposalPages.use('/p/*', async function unseen(c, next) {
  await next();
  hideAddress(c.res);
});
proposalPages.use('/p/*', async function counted(c, next) {
  await Promise.all([countByIp(c), countByToken(c, await tokenHashOf(c))]);
  await next();
});
proposalPages.use('/p/*', sameOrigin({ isHidden: true }));

/** Sends a link that a mail program cut too late, with the punctuation after it, to the page that was meant. */
proposalPages.get('/p/:token{[\\w-]+[^\\w-]+}', (c) => {
  const { search } = new URL(c.req.url);
  return c.redirect(`/p/${/^[\w-]+/.exec(c.req.param('token'))?.[0]}${search}`, 302);
});

proposalPages.get('/p/:token', async (c) => {
  const zone = c.req.query('zone');
  const seen = await seenBy(c, zone);
  if (seen === undefined) return renderUnknown(c);
  // The person may have only the first mail, so an ended proposal's link leads to the newest times, or to the meeting.
  if (seen.state.kind === 'ended' && seen.state.next !== undefined)
    return c.redirect(
      zone === undefined ? seen.state.next : `${seen.state.next}?${new URLSearchParams({ zone })}`,
      303,
    );
  return renderSeen(c, seen, zone === undefined || seen.isZoneGiven ? {} : refusedZone(zone, seen));
});

proposalPages.post('/p/:token', async (c) => {
  const form = await readForm(c);
  const seen = await seenBy(c, form.get('zone') ?? undefined);
  return seen === undefined ? renderUnknown(c) : answerForm(c, seen, form);
});

proposalPages.get('/p/:token/zone', async (c) => {
  const seen = await seenBy(c, c.req.query('zone'));
  return seen === undefined ? renderUnknown(c) : renderZone(c, seen);
});

proposalPages.get('/p/:token/meeting.ics', async (c) => {
  const seen = await seenBy(c);
  if (seen?.state.kind !== 'meeting' || seen.state.phase !== 'ahead') return renderUnknown(c);
  c.header('Content-Disposition', 'attachment; filename="meeting.ics"');
  return c.body(calendarFile(seen, seen.state.meeting), 200, { 'Content-Type': 'text/calendar; charset=utf-8' });
});

proposalPages.get('/p/*', (c) => renderUnknown(c));

function refusedZone(asked: string, { zone }: Seen): Outcome {
  const meant = zonesMeant(asked);
  const question = meant.length === 0 ? '' : `Did you mean ${listed(meant, 'or')}? `;
  const text = `${question}Until you choose yours, times are shown in ${zone}.`;
  return { status: 400, message: { kind: 'warn', title: 'There is no such time zone', text } };
}

async function seenBy(c: Context<AppEnv>, asked?: string): Promise<Seen | undefined> {
  const page = await openPage(c.var.ctx, await tokenHashOf(c));
  return page && seenAt(c, page, `/p/${c.req.path.split('/')[2]}`, asked);
}

const renderZone = (c: Context<AppEnv>, seen: Seen) =>
  renderForGuest(
    c,
    { title: 'Choose your time zone', platform: seen.platform },
    <form method="get" action={seen.path}>
      <ZoneField zone={seen.zone} />
      <p class="actions">
        <button type="submit">Show times</button>
        <a href={addressOf(seen)}>Back</a>
      </p>
    </form>,
  );

type Meeting = Extract<Seen['state'], { kind: 'meeting' }>['meeting'];

/** The UID (RFC 5545) is that of Google's invitation, so that a calendar that gets both shows one event. */
function calendarFile({ proposal, now }: Seen, { eventId, title, location, meetLink, start, end }: Meeting): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Tandem//Proposal//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${eventId}@google.com`,
    `DTSTAMP:${stamp(now)}`,
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(end)}`,
    `SUMMARY:${escaped(title)}`,
    `LOCATION:${escaped(location)}`,
    ...(meetLink === null ? [] : [`URL:${meetLink}`, `DESCRIPTION:${escaped(meetLink)}`]),
    `ORGANIZER${named(proposal.requesterName)}:mailto:${proposal.requesterEmail}`,
    `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${proposal.otherEmail}`,
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
