import { type Answer, createClient } from '../worlds/client.ts';
import { world } from '../worlds/world.ts';
import { accept, made } from './proposing.ts';

/** Opens a page of the Worker by its whole address, from an address of its own. */
export const visit = (url: string, { method = 'GET', headers = {} as Record<string, string> } = {}) =>
  createClient(world.baseUrl).send(method, url.slice(world.baseUrl.length), undefined, { headers });

/** Sends a form of the page at this address as its browser would, and follows no redirect. */
export const answer = (url: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  createClient(world.baseUrl).send('POST', url.slice(world.baseUrl.length), new URLSearchParams(fields).toString(), {
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
      origin: 'null',
      ...headers,
    },
  });

/** Returns the heading of a page, and its text as a person reads it. */
export function told({ status, text }: Answer): { status: number; title: string; words: string } {
  const plain = (html: string) =>
    html
      .replaceAll(/<(style|script)\b.*?<\/\1>|<title>.*?<\/title>|<[^>]+>/gs, ' ')
      .replaceAll(/&#39;/g, '’')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/[\u2068\u2069]/g, '')
      .trim();
  return { status, title: plain(/<h1>.*?<\/h1>/s.exec(text)?.[0] ?? ''), words: plain(text) };
}

/** Makes a proposal and accepts its first time. */
export async function acceptedProposal() {
  const scene = await made();
  const [time] = scene.proposal.times;
  const { body } = await accept(scene.platform, scene.id, time?.id);
  const { meeting_id: meetingId } = body as { meeting_id: string };
  return { ...scene, meetingId, url: scene.proposal.url, start: String(Date.parse(time?.start_time ?? '')) };
}
