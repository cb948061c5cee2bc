/** People of the local world whose calendars do something on purpose, by address. A test compares them with the world. */
export const TEST_PEOPLE: Record<string, string> = {
  'busy.all.week@demo.test': 'Is always busy.',
  'free@demo.test': 'Has an empty calendar.',
  'revoked@demo.test': 'Ended the consent at Google.',
  'declines@demo.test': 'Declines every invitation after a minute. Name them second.',
  'moves@demo.test': 'Moves the event an hour later, after a minute. Name them first.',
  'slow@demo.test': 'Has a calendar that answers after two seconds.',
  'down@demo.test': 'Has a calendar that answers 503.',
  'dst@demo.test': 'Lives where the clocks change next. `npm start` prints the zone and the day.',
  'part.time@demo.test': 'Works from Tuesday to Thursday.',
  'guest@demo.test': 'Never connected a calendar.',
};
