/** Sources of the client's npm package, by patterns of paths below `lib`. */
export const SOURCES = [
  'client/{tandem,requests,webhooks,call,errors}.ts',
  'client/cli/*.ts',
  'webhooks/{verify,delivery-headers}.ts',
  'kit/hmac.ts',
];

export const PACKED_FROM = [...SOURCES, 'client/{pack,sources,types}.ts', 'client/{README.md,package.json}'];
