import { expect, test } from 'vitest';
import { proposing } from '../../support/people/proposing.ts';
import { endCommandsAfterAll, envOf, run } from '../../support/worlds/command-line.ts';
import { healAfterEach } from '../../support/worlds/world.ts';

healAfterEach();
endCommandsAfterAll();

test('propose offers times that Tandem picks, proposals shows them, and withdraw frees them', async () => {
  const { platform, ada, bob } = await proposing();
  const env = envOf(platform);
  const people = [ada.email, bob.email];
  const made = await run(['propose', ...people, '--title', 'Contract questions', '--count', '2'], env);
  expect(made).toMatchObject({ code: 0, err: '' });
  const [first = '', one = '', two = '', ...page] = made.out.trimEnd().split('\n');
  expect(first).toMatch(/^prop_\w+ is open until \d{4}-\d\d-\d\dT\S+Z\.$/);
  for (const line of [one, two]) expect(line).toMatch(/^ {2}\d{4}-\S+Z {2}time_\w+ {2}held {2}\w+day, .+\.$/);
  expect(page).toEqual(['Send this link to the second attendee:', expect.stringMatching(/^ {2}https?:\S+\/p\/\S+$/)]);

  const [id = ''] = first.split(' ');
  const listed = await run(['proposals', '--status', 'open', '--email', bob.email], env);
  expect(listed.out).toMatch(new RegExp(`^\\S+Z {2}${id} {2}open +Contract questions \\(${people.join(', ')}\\)\\n$`));
  const ended = await run(['withdraw', id], env);
  expect(ended).toMatchObject({ code: 0, out: `${id} is withdrawn, and its times are free.\n` });
  expect((await run(['proposals', id], env)).out).toContain(`${id} is withdrawn.\n`);
  expect((await run(['proposals', '--status', 'open'], env)).out).toBe('There are no matching proposals.\n');
});

test('propose offers the times it is given, and refuses a count that is no number', async () => {
  const { platform, body } = await proposing();
  const { attendees, times, title } = body;
  const made = await run(['propose', ...attendees, ...times, '--title', title, '--json'], envOf(platform));
  expect(JSON.parse(made.out).times.map(({ start_time }: { start_time: string }) => Date.parse(start_time))).toEqual(
    times.map(Date.parse),
  );
  const refused = await run(['propose', ...attendees, '--title', title, '--count', 'few'], envOf(platform));
  expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('--count must be a whole number of times.') });
});
