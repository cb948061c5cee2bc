import type { Child } from 'hono/jsx';
import { Mark } from './components.tsx';
import { Layout } from './layout.tsx';

interface Message {
  title: string;
  /** Nothing when absent: neither good news nor bad. */
  kind?: 'info' | 'ok' | 'warn' | 'bad';
  message: Child;
  /** Where to go on, if anywhere. */
  next?: { path: string; title: string } | undefined;
}

/** One message to a person: what happened, and what they can do. */
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
