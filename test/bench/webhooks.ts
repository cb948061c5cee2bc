// Measures how webhook deliveries hold up under load, and how fast a long delivery log answers. Uses a real Postgres,
// in a database of its own that is dropped at the end, and the real Worker. Local stand-ins replace everyone else:
//
//   TEST_POSTGRES=postgres://postgres@127.0.0.1:5432/postgres npm run bench -- webhooks
//
// BENCH_DELIVERIES (10,000) events go to 50 platforms, of which 5 are slow and 5 dead. The queue delivers
// BENCH_PARALLELISM (100) messages at a time. The log has BENCH_ROWS (1,000,000) deliveries. The bench takes about
// seven minutes on two cores. Times are printed but not judged. It exits with 1 if an event was lost, attempted too
// often, too early or twice at once, or signed wrongly. It also exits with 1 if a query plan reads a big table from end
// to end.
import { benchLoad } from './webhooks-part-load.ts';
import { benchLog } from './webhooks-part-log.ts';

const {
  TEST_POSTGRES = 'postgres://postgres@127.0.0.1:5432/postgres',
  BENCH_DELIVERIES = '10000',
  BENCH_ROWS = '1000000',
} = process.env;

const wrongs = [
  ...(BENCH_DELIVERIES === '0' ? [] : await benchLoad(TEST_POSTGRES, Number(BENCH_DELIVERIES))),
  ...(BENCH_ROWS === '0' ? [] : await benchLog(TEST_POSTGRES, Number(BENCH_ROWS))),
];
console.log(wrongs.length === 0 ? '\nnothing went wrong' : `\nwent wrong:\n${wrongs.join('\n')}`);
process.exitCode = wrongs.length === 0 ? 0 : 1;
