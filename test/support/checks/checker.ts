import { planLimitsOf } from '../../../lib/kit/plans.ts';
import type { TestPlatform } from '../people/factories.ts';
import type { Answer } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { changedPairs, deliveryViolations, jobViolations, proposalViolations, storyViolations } from './events.ts';
import { holdViolations, leftovers, overlapViolations, proposalHoldViolations } from './meetings.ts';
import { askedTitle, isLive, type MeetingRow, meetingsOf, peopleOf, rootOf, rows, wasMade } from './rows.ts';
import { isFinal, isKept, meetingIdIn } from './said.ts';
import { statisticsViolations } from './statistics.ts';

interface Scope {
  platforms: TestPlatform[];
  /** Requests of the clients, with their answers. */
  wishes?: Wish[];
  /** Meetings the first month's quota counted, both made and confirmed, before any meeting of these platforms. */
  usedBefore?: number;
  /** People whose calendars we cannot read or write, so we are not responsible for their events. */
  closed?: Set<string>;
  /** Events that their owners changed themselves, by the id of the series if it is one. */
  changed?: Set<string>;
  /** Events with a person each who declined or was taken off at some time, as "event address". */
  freed?: Set<string>;
  /** People who were disconnected from a platform at some time, in a world in which the Worker's clock is wrong. */
  returned?: Set<string>;
}

/**
 * Lists everything wrong with a world at rest, as sentences, from the view of Google, the receiver, the clients and
 * Postgres. Every meeting of these platforms' people must belong to one of the platforms.
 */
export async function violations({ platforms, wishes = [], usedBefore = 0, ...except }: Scope): Promise<string[]> {
  const found = await Promise.all([
    leftovers(platforms),
    holdViolations(platforms, except),
    proposalHoldViolations(platforms, except),
    overlapViolations(platforms),
    calendarViolations(platforms, except),
    usageViolations(platforms, usedBefore),
    statisticsViolations(platforms),
    deliveryViolations(platforms),
    storyViolations(platforms),
    jobViolations(platforms),
    proposalViolations(platforms),
    answerViolations(platforms, wishes),
    secretViolations(platforms, wishes),
  ]);
  return found.flat();
}

type GoogleEvent = ReturnType<typeof world.google.events>[number];

/**
 * Checks Google's view: each live meeting has its one event on both calendars, and every event of ours has its meeting.
 */
async function calendarViolations(
  platforms: TestPlatform[],
  { closed = new Set(), changed = new Set() }: { closed?: Set<string>; changed?: Set<string> } = {},
): Promise<string[]> {
  const live = (await meetingsOf(platforms)).filter(isLive);
  const open = (await peopleOf(platforms)).filter((email) => !closed.has(email));
  const ours = live.filter(
    (meeting) => open.includes(meeting.organizer) && !changed.has(rootOf(meeting.provider_event_id)),
  );
  return [...ours.flatMap(eventViolations), ...open.flatMap((email) => orphans(email, live, changed))];
}

function eventViolations(meeting: MeetingRow): string[] {
  return meeting.people.flatMap((email) => {
    const event = world.google.events(email).find(({ id }) => id === meeting.provider_event_id);
    if (event === undefined || event.status === 'cancelled')
      return [`meeting ${meeting.id} has no event on the calendar of ${email}`];
    const times = `${iso(event.start)}/${iso(event.end)}`;
    const due = `${meeting.starts_at.toISOString()}/${meeting.ends_at.toISOString()}`;
    const guests = addressesOf(event);
    return [
      ...(times === due ? [] : [`the event of ${meeting.id} is at ${times} for ${email}, the meeting at ${due}`]),
      ...(event.organizer?.email === meeting.organizer
        ? []
        : [`the event of ${meeting.id} is ${event.organizer?.email}'s, not ${meeting.organizer}'s`]),
      ...(guests.join() === [...meeting.people].sort().join() ? [] : [`the event of ${meeting.id} invites ${guests}`]),
    ];
  });
}

/** Finds events on the organizer's calendar that carry our mark and have no live meeting. */
function orphans(email: string, live: MeetingRow[], changed: Set<string>): string[] {
  return world.google
    .events(email)
    .filter(({ id, status }) => status !== 'cancelled' && !changed.has(rootOf(id ?? '')))
    .flatMap((event) => {
      const mark = event.extendedProperties?.private?.tandem_meeting_id;
      if (mark === undefined) return [];
      const isOwn = live.some(({ provider_event_id }) => provider_event_id === event.id);
      return isOwn ? [] : [`event ${event.id} of ${email} is marked ${mark} and has no live meeting`];
    });
}

const iso = (time: GoogleEvent['start']) => new Date(time?.dateTime ?? 0).toISOString();

const addressesOf = (event: GoogleEvent) => (event.attendees ?? []).map(({ email }) => email).sort();

interface UsageRow {
  platform_id: string;
  plan: string;
  month: string;
  used: number;
  confirmed: number;
}

/**
 * Checks that quota used = confirmed = meetings made (plus `usedBefore`) and pairs changed, within the limit. The
 * platform must be told once of each threshold it crosses.
 */
async function usageViolations(platforms: TestPlatform[], usedBefore = 0): Promise<string[]> {
  const usage = await rows<UsageRow>(
    `select u.platform_id, p.plan, u.month, u.used, u.confirmed from usage u join platforms p on p.id = u.platform_id
    where u.platform_id = any($1)`,
    platforms,
  );
  const made = (await meetingsOf(platforms)).filter(wasMade);
  const told = await rows<{ platform_id: string; event_type: string; month: string; times: number }>(
    `select platform_id, event_type, to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, count(*)::int as times
    from deliveries where platform_id = any($1) and event_type like 'platform.usage%' and replay_of is null
    group by 1, 2, 3`,
    platforms,
  );
  const pairs = await changedPairs(platforms);
  const found = usage.flatMap(({ platform_id, plan, month, used, confirmed }) => {
    const isCounted = (one: Pick<MeetingRow, 'platform_id' | 'usage_month'>) =>
      one.platform_id === platform_id && one.usage_month === month;
    const count = made.filter(isCounted).length + pairs.filter(isCounted).length;
    const base = count + (month === firstMonth(usage, platform_id) ? usedBefore : 0);
    const limit = planLimitsOf(plan).meetingsPerMonth;
    const name = `${platform_id} in ${month}`;
    const crossed = (type: string, line: number) => {
      const times = told.find(
        (t) => t.platform_id === platform_id && t.event_type === type && t.month === month,
      )?.times;
      const due = confirmed >= line && confirmed - count < line ? 1 : 0;
      return (times ?? 0) === due ? [] : [`${name} told ${type} ${times ?? 0} times at ${confirmed} of ${limit}`];
    };
    return [
      ...(used === confirmed ? [] : [`${name} has used ${used} and confirmed ${confirmed}`]),
      ...(used === base ? [] : [`${name} has used ${used} and made ${base}`]),
      ...(limit === null || used <= limit ? [] : [`${name} has used ${used} of ${limit}`]),
      ...(limit === null
        ? []
        : [
            ...crossed('platform.usage_warning', Math.ceil(limit * 0.8)),
            ...crossed('platform.usage_limit_reached', limit),
          ]),
    ];
  });
  const counted = new Set(usage.map(({ platform_id, month }) => `${platform_id} ${month}`));
  const uncounted = made.filter((m) => m.usage_month !== null && !counted.has(`${m.platform_id} ${m.usage_month}`));
  return [...found, ...uncounted.map(({ id }) => `meeting ${id} was never counted`)];
}

const firstMonth = (usage: UsageRow[], platformId: string) =>
  usage
    .filter(({ platform_id }) => platform_id === platformId)
    .map(({ month }) => month)
    .sort()[0];

/** One thing a client wanted, under a title nobody else uses, and every answer to its requests. */
export interface Wish {
  platform: TestPlatform;
  /** Title of the meeting it makes; absent if it makes none. */
  title?: string;
  key?: string | undefined;
  answers: Pick<Answer, 'status' | 'text'>[];
}

/** Checks the clients' view: one key has one answer, one wish makes at most one meeting, and every answer is true. */
async function answerViolations(platforms: TestPlatform[], wishes: Wish[]): Promise<string[]> {
  const made = (await meetingsOf(platforms)).filter(wasMade);
  return wishes.flatMap(({ platform, title, key, answers }) => {
    const final = answers.filter(isFinal);
    const meetings = made.filter(
      (meeting) => askedTitle(meeting.title) === title && meeting.platform_id === platform.id,
    );
    const effects = meetings.filter(({ rescheduled_from }) => rescheduled_from === null).length;
    const kept = answers.filter(isKept);
    const successes = final.filter(({ status }) => status < 300);
    const ids = new Set(successes.map(({ text }) => meetingIdIn(text)));
    return [
      ...(key !== undefined && new Set(kept.map(({ text }) => text)).size > 1
        ? [`key ${key} got different answers: ${[...new Set(kept.map(({ text }) => text))].join(' | ')}`]
        : []),
      ...(title !== undefined && effects > 1 ? [`"${title}" was made ${effects} times`] : []),
      ...(title !== undefined && successes.some(({ status }) => status === 200) && effects === 0
        ? [`"${title}" was answered ${successes[0]?.text} and does not exist`]
        : []),
      ...(title !== undefined && key !== undefined && successes.length === 0 && final.length > 0 && effects > 0
        ? [`"${title}" was refused and exists`]
        : []),
      ...[...ids].flatMap((id) =>
        id === undefined || made.some((meeting) => meeting.id === id) ? [] : [`the answered ${id} does not exist`],
      ),
    ];
  });
}

const SECRETS = [
  /ya29\.a0[\w-]{10}/,
  /1\/\/0[\w-]{20}/,
  /\b(?:sk|pk)_live_[\w-]{20}/,
  /\bsk_user_[\w-]{20}/,
  /\b(?:redis|qstash|sig)_[\w-]{40}/,
  /GOCSPX-[\w-]{20}/,
  /\bk1:[\w+/]{20}/,
];
/** Links to the consent page, which name a platform by its publishable key. These keys are no leak. */
const CONSENT_LINK = /\/authorize\?platform_key=pk_live_[\w-]+/g;
const SQL_TEXT = /\b(?:insert into|delete from|update "?\w+"? set|violates \w+ constraint|_pkey\b)/i;

/**
 * Finds tokens and secrets in logs, answers and webhooks, SQL in answers, and addresses in another platform's answers.
 */
async function secretViolations(platforms: TestPlatform[], wishes: Wish[]): Promise<string[]> {
  const own = platforms.map(({ webhookUrl }) => webhookUrl);
  const sent = world.inbox.deliveries().filter(({ url }) => own.includes(url));
  const keys = platforms.flatMap(({ secret_key, webhook_secret }) => [secret_key, webhook_secret ?? secret_key]);
  const texts = [
    ...world.logs().map((text) => ({ where: 'the log', text })),
    ...wishes.flatMap(({ answers }) => answers.map(({ text }) => ({ where: 'an answer', text }))),
    ...sent.map(({ body_text }) => ({ where: 'a webhook', text: body_text })),
  ];
  const leaks = texts.flatMap(({ where, text }) => {
    const pattern = SECRETS.find((secret) => secret.test(text.replaceAll(CONSENT_LINK, '')));
    return pattern === undefined && !keys.some((key) => text.includes(key)) ? [] : [`${where} shows a secret: ${text}`];
  });
  const sql = texts
    .filter(({ where, text }) => where !== 'the log' && SQL_TEXT.test(text))
    .map(({ where, text }) => `${where} shows SQL: ${text}`);
  const strangers = await Promise.all(
    platforms.map(async (platform) => {
      const known = await peopleOf([platform]);
      return wishes
        .filter((wish) => wish.platform.id === platform.id)
        .flatMap(({ answers }) => answers.flatMap(({ text }) => text.match(/[\w.]+@people\.test/g) ?? []))
        .filter((email) => !known.includes(email))
        .map((email) => `${platform.id} was told of ${email}`);
    }),
  );
  return [...leaks, ...sql, ...strangers.flat()];
}
