// On PGlite no statements race, so a green run without these servers would prove nothing.
for (const name of ['TEST_POSTGRES', 'TEST_REDIS'])
  if (process.env[name] === undefined)
    throw new Error(`${name} must name a real server; "npm test -- races" has the defaults`);
