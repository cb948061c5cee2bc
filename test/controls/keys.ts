import type { Control, Edit } from './control.ts';

const QUERIES = 'schema/api-keys/queries.ts';
const SAFEGUARDS: (Edit & { name: string })[] = [
  {
    name: 'a key that is remembered is asserted in front of what it is for',
    file: 'lib/adapters/neon.ts',
    from: 'client.query(opening.assertion.sql, opening.assertion.params)',
    to: "client.query('select 1')",
  },
  {
    name: 'a revoked key is not live',
    file: QUERIES,
    from: 'and(eq(apiKeys.hash, hash), isNull(apiKeys.revokedAt));\n\nconst areSo',
    to: 'and(eq(apiKeys.hash, hash));\n\nconst areSo',
  },
  {
    name: 'all that is remembered of an owner is asserted',
    file: QUERIES,
    from: 'isLiveKey(hash), ...areSo(PLATFORM, platform), ...areSo(USER, user)',
    to: 'isLiveKey(hash)',
  },
  {
    name: 'what asks Postgres for nothing is answered once the key is known to be live',
    file: 'functions/caller.ts',
    from: "claim === undefined || claim.opening.state === 'holds'",
    to: "claim === undefined || claim.opening.state !== 'fails'",
  },
  {
    name: 'what was read is handed out once it is counted',
    file: 'lib/adapters/neon.ts',
    from: '      await opening.admission;\n',
    to: '',
  },
];

/** The safeguards of keys that are remembered, each switched off. */
export const KEYS: Control[] = SAFEGUARDS.map(({ name, ...edit }) => ({
  name,
  edits: [edit],
  suites: ['test/functions/remembered-key.test.ts'],
}));
