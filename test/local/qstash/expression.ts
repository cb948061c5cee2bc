const FUNCTIONS: Record<string, (...args: number[]) => number> = {
  pow: Math.pow,
  sqrt: Math.sqrt,
  abs: Math.abs,
  exp: Math.exp,
  floor: Math.floor,
  ceil: Math.ceil,
  round: Math.round,
  min: Math.min,
  max: Math.max,
};
const TOKEN = /\s*(\d+(?:\.\d+)?|[a-z]+|[-+*/%(),])\s*/gy;

/** Evaluates an `Upstash-Retry-Delay` expression to milliseconds. Throws if it is invalid. */
export function evaluate(expression: string, retried: number): number {
  const tokens = tokenize(expression);
  let at = 0;

  function take(wanted?: string): string {
    const token = tokens[at];
    if (token === undefined || (wanted !== undefined && token !== wanted)) throw new Error('invalid expression');
    at += 1;
    return token;
  }

  function sum(): number {
    let value = product();
    while (tokens[at] === '+' || tokens[at] === '-') value = take() === '+' ? value + product() : value - product();
    return value;
  }

  function product(): number {
    let value = factor();
    while (tokens[at] === '*' || tokens[at] === '/' || tokens[at] === '%') {
      const operator = take();
      const right = factor();
      value = operator === '*' ? value * right : operator === '/' ? value / right : value % right;
    }
    return value;
  }

  function factor(): number {
    const token = take();
    if (token === '-') return -factor();
    if (token === '(') return closed(sum());
    if (token === 'retried') return retried;
    if (/^\d/.test(token)) return Number(token);
    const call = FUNCTIONS[token];
    if (call === undefined) throw new Error(`unknown name ${token}`);
    take('(');
    const args = [sum()];
    while (tokens[at] === ',') {
      take();
      args.push(sum());
    }
    return closed(call(...args));
  }

  function closed(value: number): number {
    take(')');
    return value;
  }

  const value = sum();
  if (at !== tokens.length) throw new Error('invalid expression');
  return value;
}

function tokenize(expression: string): string[] {
  const tokens = [...expression.matchAll(TOKEN)];
  const length = tokens.reduce((sum, [whole]) => sum + whole.length, 0);
  if (length !== expression.length) throw new Error('invalid expression');
  return tokens.map(([, token = '']) => token);
}
