import { parseArgs } from 'node:util';
import * as z from 'zod';

const server = (...schemes: string[]) => {
  const pattern = new RegExp(`^(${schemes.join('|')})$`);
  return z.url({ protocol: pattern, error: `must be a URL that starts with ${schemes[0]}://` }).optional();
};
const Postgres = server('postgres', 'postgresql');
const Redis = server('redis', 'rediss');

const port = 'must be a whole number from 1 to 65535';
const StartOptions = z.object({
  port: z.coerce.number(port).int(port).min(1, port).max(65_535, port).default(8787),
  fresh: z.boolean().default(false),
  data: z.string().min(1, 'must name a folder').default('.local'),
  wrangler: z.boolean().default(false),
  logs: z.boolean().default(false),
  model: z.string().min(1, 'must name a file of answers').optional(),
  postgres: Postgres,
  redis: Redis,
});
export type StartOptions = z.infer<typeof StartOptions>;

const START = `Usage: npm start -- [options]

  --port <number>   port of the Worker, 8787 by default; the control server takes the next one, or any free port
  --fresh           deletes the data, secrets and keys of earlier starts
  --data <folder>   folder that keeps them, .local by default
  --wrangler        runs the Worker with \`wrangler dev\`, as \`npm run dev\` does
  --logs            prints the Worker's whole log as JSON, with the service's calls to itself
  --model <file>    recorded answers of a language model, as JSON; without them rules read all texts
  --postgres <url>  a database on a PostgreSQL server instead of the Postgres in this process
  --redis <url>     a Redis server instead of the one in this process
  --help            prints this text
`;

const DemoOptions = z.object({ postgres: Postgres, redis: Redis });
export type DemoOptions = z.infer<typeof DemoOptions>;

const DEMO = `Usage: npm run demo -- [options]

  --postgres <url>  a PostgreSQL server; the demo creates its own database there and drops it at the end
  --redis <url>     a Redis server instead of the one in this process
  --help            prints this text
`;

export const readStartOptions = (args: string[]) => read(args, StartOptions, START);
export const readDemoOptions = (args: string[]) => read(args, DemoOptions, DEMO);

/** Parsed options, or the text to print instead with its exit code: 0 for help, 2 for a mistake. */
export type Asked<Options> = { options: Options } | { print: string; exitCode: 0 | 2 };

function read<Shape extends z.ZodRawShape>(
  args: string[],
  schema: z.ZodObject<Shape>,
  usage: string,
): Asked<z.infer<z.ZodObject<Shape>>> {
  const refused = (said: string) => ({ print: `${said}\n\n${usage}`, exitCode: 2 as const });
  let flags: Record<string, string | boolean | undefined>;
  try {
    flags = parseArgs({ args, options: flagsOf(schema) }).values;
  } catch (error) {
    // Only the parser's first sentence names the option. The rest explains values that look like options.
    const [said = ''] = String(error instanceof Error ? error.message : error).split(/(?<=\.) |\n/);
    return refused(said.replace(/\.?\s*$/, '.'));
  }
  if (flags.help === true) return { print: usage, exitCode: 0 };
  const result = schema.safeParse(flags);
  if (result.success) return { options: result.data };
  const [issue] = result.error.issues;
  return refused(`--${String(issue?.path[0])} ${issue?.message}.`);
}

function flagsOf(schema: z.ZodObject): Record<string, { type: 'boolean' | 'string' }> {
  const isSwitch = (type: unknown) => type instanceof z.ZodDefault && type.def.innerType instanceof z.ZodBoolean;
  const flags = Object.entries(schema.shape).map(([name, type]) => [
    name,
    { type: isSwitch(type) ? 'boolean' : 'string' },
  ]);
  return Object.fromEntries([...flags, ['help', { type: 'boolean' }]]);
}
