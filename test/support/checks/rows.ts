import { expect } from 'vitest';
import type { TestPlatform } from '../people/factories.ts';
import type { Client } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';

/** Queries Postgres about these platforms; `$1` stands for the array of their ids, `$2` and so on for `more`. */
export function rows<T>(sql: string, platforms: TestPlatform[], more: unknown[] = []): Promise<T[]> {
  const ids = `{${platforms.map(({ id }) => id).join(',')}}`;
  return world.neon.query(sql.replaceAll('$1', '$1::text[]'), [ids, ...more]) as Promise<T[]>;
}

export interface MeetingRow {
  id: string;
  platform_id: string;
  status: string;
  title: string;
  starts_at: Date;
  ends_at: Date;
  provider_event_id: string;
  exclusive: boolean;
  usage_month: string | null;
  job_id: string | null;
  rescheduled_from: string | null;
  created_at: Date;
  updated_at: Date;
  version: number;
  organizer: string;
  people: string[];
  /**
   * The people whose time the meeting takes while it is live and has a length: while they and the organizer are connected
   * to its platform, all but those who were taken off the event or declined it, whoever accepted a proposal since.
   */
  holders: string[];
}

/** Lists every meeting of the platforms with its people's addresses, the requester first. */
export const meetingsOf = (platforms: TestPlatform[]) =>
  rows<MeetingRow>(
    `select m.id, m.platform_id, m.status, m.title, m.starts_at, m.ends_at, m.provider_event_id, m.exclusive,
      m.usage_month, m.job_id, m.rescheduled_from, m.created_at, m.updated_at, m.version, o.email as organizer,
      (select array_agg(p.email order by p.position) from meeting_people p where p.meeting_id = m.id) as people,
      (select coalesce(array_agg(p.email order by p.position), '{}') from meeting_people p where p.meeting_id = m.id
        and m.starts_at < m.ends_at and not exists (select 1 from event_answers a where a.event_id = m.provider_event_id and a.user_id = p.user_id
          and (a.removed or a.response_status = 'declined'))
        and (select count(distinct c.user_id) from connections c where c.user_id in (p.user_id, m.organizer_id)
          and c.platform_id = m.platform_id and c.disconnected_at is null) = case p.user_id when m.organizer_id then 1 else 2 end)
        as holders
    from meetings m join users o on o.id = m.organizer_id where m.platform_id = any($1) order by m.created_at, m.id`,
    platforms,
  );

export const isLive = ({ status }: Pick<MeetingRow, 'status'>) => status === 'scheduled' || status === 'updated';

/** Returns true for a meeting that was made, even if it was cancelled or replaced later. */
export const wasMade = ({ status }: Pick<MeetingRow, 'status'>) => status !== 'pending' && status !== 'failed';

/** Lists everybody who ever connected a calendar to one of the platforms. */
export const peopleOf = async (platforms: TestPlatform[]): Promise<string[]> =>
  (
    await rows<{ email: string }>(
      'select distinct u.email from users u join connections c on c.user_id = u.id where c.platform_id = any($1)',
      platforms,
    )
  ).map(({ email }) => email);

export const EDITED = ' · ';

/** Returns the title under which a client asked for a meeting, without what a person appended to it. */
export const askedTitle = (title: string): string => title.split(EDITED, 1)[0] ?? title;

/** Returns the id of the event from which a series and its occurrences come. All their ids begin with it. */
export const rootOf = (eventId: string): string => eventId.split('_', 1)[0] ?? eventId;

/** Pagination of the last page of every list. */
export const LAST_PAGE = { next_cursor: null, has_more: false };

interface Paged {
  pagination: { next_cursor: string | null; has_more: boolean };
}

/** Reads a list page by page by following its cursors; `between` runs after each page. */
export async function pagesOf<Body extends Paged>(
  api: Pick<Client, 'send'>,
  path: string,
  { limit, between = async () => {} }: { limit: number; between?: () => Promise<unknown> },
): Promise<Body[]> {
  const pages: Body[] = [];
  for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)?.pagination.next_cursor ?? null) {
    const answer = await api.send('GET', `${path}?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`);
    expect(answer.status, answer.text).toBe(200);
    const page = answer.body as Body;
    expect(page.pagination.has_more).toBe(page.pagination.next_cursor !== null);
    pages.push(page);
    await between();
  }
  return pages;
}
