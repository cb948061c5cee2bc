import { PERMISSIONS } from '../../../../lib/kit/permissions.ts';

/** Type of a value in Google's discovery format. */
export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: Schema;
  items?: Schema;
}

/** Query parameter of a method. Those of the path are in `path` itself. */
export interface Parameter {
  type: string;
  repeated?: boolean;
  enum?: string[];
  minimum?: string;
  maximum?: string;
}

export interface Method {
  httpMethod: string;
  path: string;
  parameters: Record<string, Parameter>;
  request?: string;
  response?: string;
  /** Tandem's scopes of which one is enough, without the part that they share. */
  scopes: string[];
}

/** Part of Google's discovery document that the contract check needs. */
export interface Contract {
  revision: string;
  methods: Record<string, Method>;
  schemas: Record<string, Schema>;
}

interface DiscoveryMethod extends Omit<Method, 'parameters' | 'request' | 'response' | 'scopes'> {
  parameters?: Record<string, Parameter & { location: string }>;
  request?: { $ref: string };
  response?: { $ref: string };
  scopes?: string[];
}

interface Document {
  revision: string;
  resources: Record<string, { methods: Record<string, DiscoveryMethod> }>;
  schemas: Record<string, Schema>;
}

/** Methods that the stand-in serves. */
const SERVED: Record<string, string[]> = {
  calendarList: ['list'],
  calendars: ['get'],
  channels: ['stop'],
  events: ['delete', 'get', 'insert', 'list', 'patch', 'watch'],
  freebusy: ['query'],
  settings: ['get'],
};

export const SCOPE_PREFIX = 'https://www.googleapis.com/auth/';

/** Reduces Google's discovery document to the methods that the stand-in serves, and to the types they use. */
export function reduceDocument({ revision, resources, schemas }: Document): Contract {
  const methods: Record<string, Method> = {};
  for (const [resource, names] of Object.entries(SERVED)) {
    for (const name of names) {
      const method = resources[resource]?.methods[name];
      if (method === undefined) throw new Error(`The document has no method ${resource}.${name}.`);
      methods[`${resource}.${name}`] = reduceMethod(method);
    }
  }
  const used = new Set<string>();
  for (const { request, response } of Object.values(methods)) {
    if (request) collect(request, schemas, used);
    if (response) collect(response, schemas, used);
  }
  const kept = [...used].sort().map((name) => [name, reduceSchema(schemas[name] ?? {})]);
  return { revision, methods, schemas: Object.fromEntries(kept) };
}

function reduceMethod({ httpMethod, path, parameters = {}, request, response, scopes = [] }: DiscoveryMethod): Method {
  const asked = Object.entries(parameters).filter(([, { location }]) => location === 'query');
  return {
    httpMethod,
    path,
    parameters: Object.fromEntries(asked.map(([name, given]) => [name, reduceParameter(given)])),
    ...(request ? { request: request.$ref } : {}),
    ...(response ? { response: response.$ref } : {}),
    scopes: scopes
      .filter((scope) => PERMISSIONS.some((asked) => asked.scope === scope))
      .map((scope) => scope.replace(SCOPE_PREFIX, '')),
  };
}

function reduceParameter({ type, repeated, enum: values, minimum, maximum }: Parameter): Parameter {
  return {
    type,
    ...(repeated ? { repeated } : {}),
    ...(values ? { enum: values } : {}),
    ...(minimum ? { minimum } : {}),
    ...(maximum ? { maximum } : {}),
  };
}

function reduceSchema({ $ref, type, format, properties, additionalProperties, items }: Schema): Schema {
  if ($ref) return { $ref };
  const fields = Object.entries(properties ?? {}).map(([name, field]) => [name, reduceSchema(field)]);
  return {
    ...(type ? { type } : {}),
    ...(format ? { format } : {}),
    ...(properties ? { properties: Object.fromEntries(fields) } : {}),
    ...(additionalProperties ? { additionalProperties: reduceSchema(additionalProperties) } : {}),
    ...(items ? { items: reduceSchema(items) } : {}),
  };
}

function collect(name: string, schemas: Record<string, Schema>, used: Set<string>): void {
  if (used.has(name)) return;
  const schema = schemas[name];
  if (schema === undefined) throw new Error(`The document has no schema ${name}.`);
  used.add(name);
  for (const [, ref = ''] of JSON.stringify(schema).matchAll(/"\$ref":"(\w+)"/g)) collect(ref, schemas, used);
}
