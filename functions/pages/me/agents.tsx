import { PostForm } from '../components.tsx';
import { dateOf } from './date-of.ts';

/** Agent that a person let in. `id` identifies the agent's access, and `name` is what the agent calls itself. */
export interface MyAgent {
  id: string;
  host: string;
  path: string;
  name: string;
  createdAt: number;
  /** When it last changed the person's preferences. */
  changedAt: number | null;
  expiresAt: number;
}

export const AgentsSection = ({ agents, csrf }: { agents: readonly MyAgent[]; csrf: string }) => (
  <section class="card" id="agents">
    <h2>Agents that can act for you</h2>
    <p>
      An agent sees when you are free and your meetings, and can change your preferences. It cannot book, move or cancel
      meetings.
    </p>
    <ul class="rows">
      {agents.map(({ id, host, path, name, createdAt, changedAt, expiresAt }) => (
        <li>
          <div>
            <strong>{host}</strong> <bdi>{path}</bdi> {name === '' ? '(unnamed)' : <bdi>{name}</bdi>}
            <br />
            <small class="muted">
              Since {dateOf(createdAt)}
              <br />
              Until {dateOf(expiresAt)}
              {changedAt === null ? '' : `. Changed your preferences ${dateOf(changedAt)}`}
            </small>
          </div>
          <PostForm action="/me/agents/revoke" csrf={csrf} fields={{ id }} kind="danger" isTiny about={host + path}>
            Revoke
          </PostForm>
        </li>
      ))}
    </ul>
  </section>
);
