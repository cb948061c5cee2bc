import { Layout } from './layout.tsx';

/** One sentence to a person. */
export function MessagePage({ title, message }: { title: string; message: string }) {
  return (
    <Layout title={title}>
      <p>{message}</p>
    </Layout>
  );
}
