import { isDeepStrictEqual } from 'node:util';
import type { Trace } from '../trace.ts';
import type { Meetings } from './meetings.ts';
import { instant, type Told } from './told.ts';

/** Checks that each accepted job ended once, as the API shows, and that its meeting was reported at that time. */
export function strangeJobs({ shown, asks }: Trace, told: Told[], meetings: Meetings): string[] {
  const ends = told.filter(({ type }) => type.startsWith('meeting.scheduling.'));
  // A client that never learned its job's id may still receive the event of its end.
  const known = new Set(shown.jobs.map(({ id }) => id));
  const unheard = ends.filter(({ data }) => !known.has(data.job_id ?? ''));
  const lost = asks.filter(({ operation, answers }) => operation === 'auto' && answers.every((a) => a.status !== 202));
  return [
    ...(unheard.length <= lost.reduce((sum, { broken, answers }) => sum + broken + answers.length, 0)
      ? []
      : [`${unheard.length} jobs ended that nobody had asked for`]),
    ...shown.jobs.flatMap(({ id, platform, status, result }) => {
      const mine = ends.filter(({ data }) => data.job_id === id);
      const [end] = mine;
      if (end === undefined || mine.length > 1) return [`${status} job ${id} was told ${mine.length} times`];
      if (end.platform !== platform || end.type !== `meeting.scheduling.${status}`)
        return [`${status} job ${id} was told as ${end.type}`];
      if (!isDeepStrictEqual(end.data, result)) return [`job ${id} is shown otherwise than told`];
      if (status === 'failed') return [];
      const [birth] = meetings.get(end.data.meeting_id ?? '')?.made ?? [];
      if (birth === undefined) return [`job ${id} made a meeting nobody was told of`];
      const { start_time: chosen } = end.data.chosen_slot as unknown as Record<string, string>;
      return instant(chosen) === instant(birth.data.start_time) ? [] : [`job ${id} chose ${chosen}, told otherwise`];
    }),
  ];
}
