import type { Trace } from '../../lib/kit/ports.ts';

/** Spans are `<port>.<operation>`, without attributes, because arguments may contain people's addresses. */
export function traced<P extends object>(trace: Trace, port: string, operations: P): P {
  const named = Object.entries(operations).map(([name, operation]: [string, unknown]) => [
    name,
    typeof operation === 'function'
      ? (...given: unknown[]) => trace(`${port}.${name}`, () => Reflect.apply(operation, operations, given))
      : operation,
  ]);
  // The wrapped operations have the parameters and results of the port's own operations, so the cast is safe.
  return Object.fromEntries(named) as P;
}

/** Tracing API that workerd offers to a handler. It is absent where the Worker's code runs elsewhere. */
interface Tracing {
  enterSpan<T>(name: string, run: () => T): T;
}

/** Uses custom spans (developers.cloudflare.com/workers/observability/traces/custom-spans). */
export function traceOf(execution: object): Trace {
  const { tracing } = execution as { tracing?: Tracing };
  return (name, run) => (tracing === undefined ? run() : tracing.enterSpan(name, run));
}
