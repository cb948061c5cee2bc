// How deliveries hold up under load, and how the log answers when it is long; on a real Postgres, in a database of its
// own that is dropped at the end, through the real Worker and the local stand-ins of everyone else:
//
//   TEST_POSTGRES=postgres://postgres@127.0.0.1:5432/postgres npm run bench:webhooks
//
// BENCH_DELIVERIES (10,000) events go to 50 platforms; BENCH_PARALLELISM (100) is what the queue delivers at a time.
// BENCH_ROWS (1,000,000) deliveries stand in the log. Of 10 platforms in 50 half are slow and half dead. It takes about
// seven minutes on two cores. Times are printed and judge nothing; it ends with 1 when an event was lost, attempted too
// often, too early, twice at once or signed wrongly, or when a plan reads a big table from end to end.
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
