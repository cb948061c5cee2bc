import { expect } from 'vitest';
import type { Client } from '../worlds/client.ts';

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
