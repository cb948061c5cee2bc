import type { TestPlatform } from '../people/factories.ts';
import type { Answer } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { askedTitle } from './edited-events.ts';
import { meetingsOf, peopleOf, wasMade } from './rows.ts';
import { isFinal, isKept, meetingIdIn } from './said.ts';

/** One thing a client wanted, under a title nobody else uses, and every answer to its requests. */
export interface Wish {
  platform: TestPlatform;
  /** Title of the meeting it makes; absent if it makes none. */
  title?: string;
  key?: string | undefined;
  answers: Pick<Answer, 'status' | 'text'>[];
}

/** Checks the clients' view: one key has one answer, one wish makes at most one meeting, and every answer is true. */
export async function answerViolations(platforms: TestPlatform[], wishes: Wish[]): Promise<string[]> {
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
export async function secretViolations(platforms: TestPlatform[], wishes: Wish[]): Promise<string[]> {
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
