import { randomBytes } from 'node:crypto';
import { type Answer, EVENTS, type Hand } from './behavior.ts';

const DAYS_AHEAD = 30;

interface Account {
  /** Address of the API, such as https://www.googleapis.com. */
  rootUrl: string;
  accessToken: string;
  now: number;
}

/** Creates the hand of an account. `clean` deletes every event that the hand has inserted. */
export function createHand({ rootUrl, accessToken, now }: Account): Hand & { clean(): Promise<void> } {
  const day = new Date(now + DAYS_AHEAD * 86_400_000).toISOString().slice(0, 10);
  const inserted = new Set<string>();

  const call: Hand['call'] = async (method, path, { query = {}, body, headers = {}, token = accessToken } = {}) => {
    const search = new URLSearchParams(query).toString();
    const response = await fetch(`${rootUrl}/calendar/v3${path}${search === '' ? '' : `?${search}`}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    const answer: Answer = { status: response.status, body: text === '' ? {} : bodyOf(text) };
    if (method === 'POST' && path === EVENTS && response.ok) inserted.add(String(answer.body.id));
    return answer;
  };

  return {
    call,
    at: (time) => `${day}T${time}:00Z`,
    id: () => `tandem${randomBytes(16).toString('hex')}`,
    async clean() {
      for (const id of inserted) await call('DELETE', `${EVENTS}/${id}`);
      inserted.clear();
    },
  };
}

function bodyOf(text: string): Answer['body'] {
  try {
    return JSON.parse(text);
  } catch {
    return { text };
  }
}
