import * as z from 'zod';
import { type Instead, parseFlags, refuse } from '../../functions/cli/command.ts';

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
  --help, -h        prints this text`;

const DemoOptions = z.object({ postgres: Postgres, redis: Redis });
export type DemoOptions = z.infer<typeof DemoOptions>;

const DEMO = `Usage: npm run demo -- [options]

  --postgres <url>  a PostgreSQL server; the demo creates its own database there and drops it at the end
  --redis <url>     a Redis server instead of the one in this process
  --help, -h        prints this text`;

export const readStartOptions = (args: string[]) => read(args, StartOptions, START);
export const readDemoOptions = (args: string[]) => read(args, DemoOptions, DEMO);

export type Asked<Options> = { options: Options } | Instead;

function read<Shape extends z.ZodRawShape>(
  args: string[],
  schema: z.ZodObject<Shape>,
  usage: string,
): Asked<z.infer<z.ZodObject<Shape>>> {
  const asked = parseFlags(args, { usage, flags: flagsOf(schema) });
  if ('print' in asked) return asked;
  const result = schema.safeParse(asked.values);
  if (result.success) return { options: result.data };
  const [issue] = result.error.issues;
  return refuse(`--${String(issue?.path[0])} ${issue?.message}.`, usage);
}

function flagsOf(schema: z.ZodObject): Record<string, { type: 'boolean' | 'string' }> {
  const isSwitch = (type: unknown) => type instanceof z.ZodDefault && type.def.innerType instanceof z.ZodBoolean;
  return Object.fromEntries(
    Object.entries(schema.shape).map(([name, type]) => [name, { type: isSwitch(type) ? 'boolean' : 'string' }]),
  );
}
