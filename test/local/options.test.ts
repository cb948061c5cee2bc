import { describe, expect, test } from 'vitest';
import { readDemoOptions, readStartOptions } from './options.ts';

test('without options everything runs in this process, on port 8787, kept in .local', () => {
  expect(readStartOptions([])).toEqual({
    options: { port: 8787, fresh: false, data: '.local', wrangler: false, logs: false },
  });
});

test('options are read with a space or an equals sign', () => {
  expect(readStartOptions(['--port', '9000', '--fresh', '--postgres=postgres://me@127.0.0.1:5432/db'])).toEqual({
    options: {
      port: 9000,
      fresh: true,
      data: '.local',
      wrangler: false,
      logs: false,
      postgres: 'postgres://me@127.0.0.1:5432/db',
    },
  });
});

test.each([readStartOptions, readDemoOptions])('--help prints the usage and ends well', (read) => {
  for (const flag of ['--help', '-h'])
    expect(read(['--postgres', 'nonsense', flag])).toMatchObject({
      exitCode: 0,
      print: expect.stringMatching(/^Usage: npm /),
    });
});

describe('a mistake is named above the usage, and ends with 2', () => {
  test.each([
    [['--prot', '9000'], "Unknown option '--prot'."],
    [['9000'], "Unexpected argument '9000'."],
    [['--port'], "Option '--port <value>' argument missing."],
    [['--fresh=yes'], "Option '--fresh' does not take an argument."],
    [['--port', 'http'], '--port must be a whole number from 1 to 65535.'],
    [['--port', '8787.5'], '--port must be a whole number from 1 to 65535.'],
    [['--port', '65536'], '--port must be a whole number from 1 to 65535.'],
    [['--port', ''], '--port must be a whole number from 1 to 65535.'],
    [['--data', ''], '--data must name a folder.'],
    [['--postgres', '127.0.0.1:5432'], '--postgres must be a URL that starts with postgres://.'],
    [['--redis', 'http://127.0.0.1'], '--redis must be a URL that starts with redis://.'],
  ])('%j', (args, said) => {
    const asked = readStartOptions(args);
    if (!('print' in asked)) throw new Error('taken');
    expect(asked.exitCode).toBe(2);
    expect(asked.print.split('\n')[0]).toBe(said);
    expect(asked.print).toContain('Usage: npm start -- [options]');
  });
});
