import { env } from 'cloudflare:workers';

const HOST = 'x-tandem-host';
const machineFetch = globalThis.fetch;

/** Sends every call to the local world, and names the host that was called, because wrangler has no outbound service. */
globalThis.fetch = (input, init) => {
  const request = new Request(input, init);
  const { host, pathname, search } = new URL(request.url);
  const named = new Request(`${env.WORLD_URL}${pathname}${search}`, request);
  named.headers.set(HOST, host);
  return machineFetch(named);
};
