import type { Child } from 'hono/jsx';
import { Mark } from './components.tsx';
import { Layout } from './layout.tsx';

interface Message {
  title: string;
  /** Kind of message, which chooses the icon. A message that is neither good nor bad news has none. */
  kind?: 'info' | 'ok' | 'warn' | 'bad';
  message: Child;
  /** Link to another page, shown as a button, if there is somewhere to go. */
  next?: { path: string; title: string } | undefined;
}

/** Shows one message: what happened, and what the person can do. */
export const MessagePage = ({ title, kind, message, next }: Message) => (
  <Layout title={title} width="card" mark={kind && <Mark kind={kind} />}>
    <p>{message}</p>
    {next === undefined ? null : (
      <p>
        <a class="button" href={next.path}>
          {next.title}
        </a>
      </p>
    )}
  </Layout>
);
