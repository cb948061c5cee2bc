import { expect, test, vi } from 'vitest';
import { createLog } from '../../functions/http/log.ts';
import { shownLine } from './shown-line.ts';

function logged(level: 'info' | 'error', message: string, fields: object): string {
  const lines: string[] = [];
  const spies = (['log', 'error'] as const).map((name) =>
    vi.spyOn(console, name).mockImplementation((line) => void lines.push(line)),
  );
  createLog('req_a')(level, message, { ...fields });
  for (const spy of spies) spy.mockRestore();
  return lines.join('\n');
}

const request = (route: string, ended: object = { status: 200 }) =>
  logged('info', 'request', { method: 'POST', route, ...ended, duration_ms: 38 });

test('a request is a line that a person reads', () => {
  expect(shownLine(request('/v1/schedule'))).toBe('POST /v1/schedule 200 in 38 ms');
  expect(shownLine(request('/v1/schedule', { status: 409, code: 'slot_unavailable' }))).toBe(
    'POST /v1/schedule 409 slot_unavailable in 38 ms',
  );
});

test("the service's calls to itself and other information are not shown", () => {
  expect(shownLine(request('/internal/sweep'))).toBeUndefined();
  expect(shownLine(logged('info', 'swept', { count: 3 }))).toBeUndefined();
});

test('an error is shown whole, and so is what another program says', () => {
  const error = logged('error', 'request', { method: 'POST', route: '/internal/sweep', status: 500, duration_ms: 38 });
  expect(shownLine(error)).toBe(error);
  expect(shownLine('workerd: out of memory')).toBe('workerd: out of memory');
});
