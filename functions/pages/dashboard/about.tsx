import type { ShownDelivery } from '../../../schema/delivery/deliveries-log.ts';
import { personPath } from './person.tsx';

/** Pages of what an event can be about, by the start of its ID. */
const PAGES = [
  { prefix: 'prop_', path: '/dashboard/proposals', words: 'Proposal' },
  { prefix: 'batch_', path: '/dashboard/batches', words: 'Batch' },
  { prefix: 'sched_', path: '/dashboard/jobs', words: 'Job' },
] as const;

export function About({ meetingId, meetingTitle, subject, eventAt }: ShownDelivery) {
  if (eventAt === null && meetingId === null) return <span class="muted">–</span>;
  if (meetingId !== null && meetingTitle !== null)
    return (
      <a href={`/dashboard/meetings/${meetingId}`}>
        <bdi>{meetingTitle.trim() || 'Untitled meeting'}</bdi>
      </a>
    );
  if (subject?.includes('@')) return <a href={personPath(subject)}>{subject}</a>;
  const page = PAGES.find(({ prefix }) => subject?.startsWith(prefix));
  return page === undefined ? (
    <span class="muted">–</span>
  ) : (
    <a href={`${page.path}/${subject}`}>
      {page.words}
      <span class="hidden"> {subject}</span>
    </a>
  );
}
