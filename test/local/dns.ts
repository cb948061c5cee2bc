const TYPES = { A: 1, CNAME: 5, AAAA: 28 } as const;
const NO_SUCH_NAME = 3;
const LONGEST_CHAIN = 8;

/** DNS records of a host. A host with an `rcode` answers only that code. */
export interface DnsRecords {
  a?: string[];
  aaaa?: string[];
  cname?: string;
  /** DNS response code: 2 SERVFAIL, 3 NXDOMAIN, 5 REFUSED. */
  rcode?: number;
  /** Time to live in seconds; 0 makes a later change visible at once. */
  ttl?: number;
}

interface Answer {
  name: string;
  type: number;
  TTL: number;
  data: string;
}

// Addresses of example.com. Every name without records of its own has these addresses, so that any inbox can be
// reached.
const ANYWHERE: DnsRecords = { a: ['93.184.215.14'], aaaa: ['2606:2800:21f:cb07:6820:80da:af6b:8b2c'], ttl: 60 };

/** Creates a public DNS resolver that answers over HTTPS in the JSON format of cloudflare-dns.com. */
export function createDns() {
  const known = new Map<string, DnsRecords>();
  const questions: string[] = [];
  const recordsOf = (host: string): DnsRecords =>
    known.get(host) ?? (host.endsWith('.invalid') ? { rcode: NO_SUCH_NAME } : ANYWHERE);

  function resolve(name: string, type: 'A' | 'AAAA'): { status: number; answers: Answer[] } {
    const answers: Answer[] = [];
    let host = name;
    for (let link = 0; link < LONGEST_CHAIN; link += 1) {
      const { a = [], aaaa = [], cname, rcode = 0, ttl = 0 } = recordsOf(host);
      const record = (kind: keyof typeof TYPES, data: string) => ({ name: host, type: TYPES[kind], TTL: ttl, data });
      if (rcode !== 0) return { status: rcode, answers };
      answers.push(...(type === 'A' ? a : aaaa).map((data) => record(type, data)));
      if (cname === undefined) return { status: 0, answers };
      answers.push(record('CNAME', `${cname}.`));
      host = cname;
    }
    return { status: 2, answers };
  }

  return {
    fetch(request: Request) {
      const { pathname, searchParams } = new URL(request.url);
      const name = searchParams.get('name') ?? '';
      const type = searchParams.get('type') === 'AAAA' ? 'AAAA' : 'A';
      const isQuery = pathname === '/dns-query' && request.headers.get('accept') === 'application/dns-json';
      if (!isQuery || name === '') return Response.json({ error: 'Invalid query' }, { status: 400 });
      questions.push(`${type} ${name}`);
      const { status, answers } = resolve(name, type);
      return Response.json(
        { Status: status, ...(answers.length === 0 ? {} : { Answer: answers }) },
        { headers: { 'content-type': 'application/dns-json' } },
      );
    },
    set: (host: string, records: DnsRecords) => void known.set(host, records),
    /** Queries that arrived, such as `A hooks.acme.test`, oldest first. */
    questions: () => questions,
  };
}
