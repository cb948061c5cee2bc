import { createHash } from 'node:crypto';
import { Hono } from 'hono';
import { roleOf } from './accounts.ts';
import { GoogleError, invalid, notFound, required } from './errors.ts';
import type { Grant } from './grants.ts';
import type { Store } from './store.ts';
import { accessTo, type GoogleEnv, jsonBody } from './token.ts';

export type Push = (request: Request) => Promise<void>;

export interface Channel {
  id: string;
  resourceId: string;
  resourceUri: string;
  token: string | undefined;
  address: string;
  expiration: number;
  calendarId: string;
  grant: Grant;
  messageNumber: number;
}

/** Push that is not delivered yet. Whoever takes it may deliver it late, twice, out of order or with other headers. */
export interface PushMessage {
  address: string;
  headers: Record<string, string>;
}

export type LiveChannel = Pick<Channel, 'id' | 'resourceId' | 'calendarId' | 'expiration'>;

interface ChannelBody {
  id: string;
  resourceId: string;
  type: string;
  address: string;
  token: string;
  params: { ttl?: string | number };
}

const LONGEST_LIFE_MS = 7 * 86_400_000;

/** Creates the watch channels: `events/watch` opens one, each change sends a push, and `channels/stop` closes one. */
export function createChannels(store: Store, push: Push | undefined, kept?: Map<string, Channel>) {
  const app = new Hono<GoogleEnv>();
  const channels = new Map(kept);
  const inFlight = new Set<Promise<void>>();
  const held: PushMessage[] = [];

  app.post('/calendars/:calendarId/events/watch', async (c) => {
    const { calendar } = accessTo(c, store, 'freeBusyReader');
    const channel = open(await jsonBody<ChannelBody>(c), calendar.id, c.var.session.grant);
    channels.set(channel.id, channel);
    send(channel, 'sync');
    const { id, resourceId, resourceUri, token, expiration } = channel;
    return c.json({
      kind: 'api#channel',
      id,
      resourceId,
      resourceUri,
      ...(token ? { token } : {}),
      expiration: String(expiration),
    });
  });

  app.post('/channels/stop', async (c) => {
    const { id = '', resourceId } = await jsonBody<ChannelBody>(c);
    const channel = channels.get(id);
    if (!channel || channel.resourceId !== resourceId || channel.grant.email !== c.var.session.person.email) {
      throw notFound(`Channel '${id}' not found for project 'tandem'`);
    }
    channels.delete(id);
    return c.body(null, 204);
  });

  function open(body: Partial<ChannelBody>, calendarId: string, grant: Grant): Channel {
    const { id, type, address, token } = body;
    if (!id) throw required('entity.id: Required');
    if (id.length > 64 || !/^[A-Za-z0-9\-_+/=]+$/.test(id)) throw invalid('entity.id: Invalid channel id');
    if (channels.has(id)) throw new GoogleError(400, 'channelIdNotUnique', `Channel id ${id} not unique`);
    if (type !== 'web_hook') throw invalid('entity.type: Unknown channel type');
    if (token && token.length > 256) throw invalid('entity.token: Too long');
    if (!address || !isAcceptable(address)) {
      throw new GoogleError(400, 'push.webhookUrlNotHttps', `WebHook callback must be HTTPS: ${address ?? ''}`);
    }
    const now = store.clock.now();
    const seconds = Number(body.params?.ttl ?? 0);
    return {
      id,
      resourceId: createHash('sha256').update(`events ${calendarId}`).digest('base64url').slice(0, 27),
      resourceUri: `https://www.googleapis.com/calendar/v3/calendars/${encodeURIComponent(calendarId)}/events?alt=json`,
      token,
      address,
      expiration: now + (seconds > 0 ? Math.min(seconds * 1000, LONGEST_LIFE_MS) : LONGEST_LIFE_MS),
      calendarId,
      grant,
      messageNumber: 0,
    };
  }

  function send(channel: Channel, state: 'sync' | 'exists'): void {
    // Message numbers begin with the sync message's 1 and rise with gaps.
    channel.messageNumber += channel.messageNumber === 0 ? 1 : 2;
    const headers: Record<string, string> = {
      'X-Goog-Channel-ID': channel.id,
      'X-Goog-Channel-Expiration': new Date(channel.expiration).toUTCString(),
      'X-Goog-Resource-ID': channel.resourceId,
      'X-Goog-Resource-URI': channel.resourceUri,
      'X-Goog-Resource-State': state,
      'X-Goog-Message-Number': String(channel.messageNumber),
      ...(channel.token ? { 'X-Goog-Channel-Token': channel.token } : {}),
    };
    const message = { address: channel.address, headers };
    if (store.settings.pushes === 'held') held.push(message);
    if (store.settings.pushes === 'sent') deliver(message);
  }

  function deliver({ address, headers }: PushMessage): void {
    if (!push) return;
    // A push that fails is lost, because Google promises no retry.
    const sent = push(new Request(address, { method: 'POST', headers })).catch(() => undefined);
    inFlight.add(sent);
    sent.finally(() => inFlight.delete(sent));
  }

  function isLive({ calendarId, grant, expiration }: Channel): boolean {
    return grant.live && expiration > store.clock.now() && roleOf(store, calendarId, grant.email) !== undefined;
  }

  store.watchers.add((calendarId) => {
    for (const channel of channels.values()) {
      if (channel.calendarId === calendarId && isLive(channel)) send(channel, 'exists');
    }
  });

  return {
    app,
    live: (): LiveChannel[] =>
      [...channels.values()]
        .filter(isLive)
        .map(({ id, resourceId, calendarId, expiration }) => ({ id, resourceId, calendarId, expiration })),
    takePushes: () => held.splice(0),
    keep: () => channels,
    async settled(): Promise<void> {
      while (inFlight.size > 0) await Promise.all(inFlight);
    },
  };
}

function isAcceptable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || hostname === '127.0.0.1' || hostname === 'localhost';
}
