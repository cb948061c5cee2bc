import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { readmeBlock, readmeBlocks } from '../../support/checks/readme-blocks.ts';
import vector from './vector.json' with { type: 'json' };

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tandem-snippets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Case {
  name: string;
  headers: Record<string, string>;
  body: string;
  secret: string;
  now_seconds: number;
  accepted: boolean;
}

const { timestamp, signature, body, secret } = vector;
const AT = Number(timestamp);
const VALID = { 'X-Service-Timestamp': timestamp, 'X-Service-Signature': signature };
/** Signatures under secrets that the receiver does not know. */
const OTHER = 'ab'.repeat(32);
const rotated = (previous: string) => ({
  ...VALID,
  'X-Service-Signature': OTHER,
  'X-Service-Signature-Previous': previous,
});
const CASES: Case[] = (
  [
    ['the vector', {}],
    ['300 s old', { now_seconds: AT + 300 }],
    ['300 s ahead', { now_seconds: AT - 300 }],
    ['rubbish beside the signature', { headers: { ...VALID, 'X-Service-Signature-Previous': ',é,' } }],
    ['former secrets that are all others', { headers: rotated(`${OTHER},${OTHER}`) }],
    ['a sixth former secret', { headers: rotated(`${`${OTHER},`.repeat(5)}${signature}`) }],
    ['a former secret, over another body', { headers: rotated(signature), body: `${body} ` }],
    ['a body of one more character', { body: `${body} ` }],
    ['another body', { body: body.replace('cancelled', 'scheduled') }],
    ['another secret', { secret: `${secret}x` }],
    [
      'another signature',
      { headers: { ...VALID, 'X-Service-Signature': signature.replace(/^./, (digit) => (digit === '9' ? '8' : '9')) } },
    ],
    ['half a signature', { headers: { ...VALID, 'X-Service-Signature': signature.slice(0, 32) } }],
    ['a signature in capitals', { headers: { ...VALID, 'X-Service-Signature': signature.toUpperCase() } }],
    ['a signature in no alphabet', { headers: { ...VALID, 'X-Service-Signature': 'é'.repeat(64) } }],
    ['no signature', { headers: { 'X-Service-Timestamp': timestamp } }],
    ['no timestamp', { headers: { 'X-Service-Signature': signature } }],
    ['another timestamp', { headers: { ...VALID, 'X-Service-Timestamp': String(AT + 1) } }],
    ['a timestamp in words', { headers: { ...VALID, 'X-Service-Timestamp': 'now' } }],
    ['an endless timestamp', { headers: { ...VALID, 'X-Service-Timestamp': '9'.repeat(5_000) } }],
    ['an old one', { now_seconds: AT + 301 }],
    ['one from the future', { now_seconds: AT - 301 }],
  ] as [string, Partial<Case>][]
).map(([name, changes], index) => ({
  name,
  headers: VALID,
  body,
  secret,
  now_seconds: AT,
  accepted: index < 4,
  ...changes,
}));
const EXPECTED = CASES.map(({ name, accepted }) => `${name}: ${accepted ? 'accepted' : 'refused'}`);

function verdicts(program: string, args: string[], cwd: string): string[] {
  const env = { ...process.env, GOCACHE: join(folder, 'go-cache'), GO111MODULE: 'on', GOFLAGS: '-mod=mod' };
  const printed = execFileSync(program, args, { cwd, env, input: JSON.stringify(CASES), encoding: 'utf8' });
  const answers: unknown = JSON.parse(printed);
  return CASES.map(({ name }, index) => {
    const answer = Array.isArray(answers) ? answers[index] : undefined;
    return `${name}: ${answer === true ? 'accepted' : answer === false ? 'refused' : answer}`;
  });
}

function write(name: string, files: Record<string, string>): string {
  const path = join(folder, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

const isInstalled = (program: string, flag: string) => spawnSync(program, [flag], { stdio: 'ignore' }).status === 0;

const PAGE = 'functions/docs/webhooks/verify.md';
const [node = '', python = '', go = '', sample = ''] = ['js', 'python', 'go', 'json'].flatMap((language) =>
  readmeBlocks(PAGE, language),
);

test('the page shows the vector that the tests use', () => {
  expect(JSON.parse(sample)).toEqual(vector);
});

test('the snippet for Node takes the vector and refuses what was tampered with or is old', () => {
  const cwd = write('node', {
    'receiver.mjs': node,
    'main.mjs': `import { readFileSync } from 'node:fs';
import { isFromTandem } from './receiver.mjs';
const lower = (headers) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
const cases = JSON.parse(readFileSync(0, 'utf8'));
const verdicts = cases.map((it) => isFromTandem(lower(it.headers), Buffer.from(it.body), it.secret, it.now_seconds * 1000));
console.log(JSON.stringify(verdicts));`,
  });
  expect(verdicts(process.execPath, ['main.mjs'], cwd)).toEqual(EXPECTED);
});

test('the snippet for Python does so too', ({ skip }) => {
  skip(!isInstalled('python3', '--version'), 'python3 is not installed, so the snippet for Python was not run');
  const cwd = write('python', {
    'receiver.py': python,
    'main.py': `import json, sys
from receiver import is_from_tandem
cases = json.load(sys.stdin)
print(json.dumps([is_from_tandem(it["headers"], it["body"].encode(), it["secret"], it["now_seconds"]) for it in cases]))`,
  });
  expect(verdicts('python3', ['main.py'], cwd)).toEqual(EXPECTED);
});

test('the snippet for Go does so too', { timeout: 300_000 }, ({ skip }) => {
  skip(!isInstalled('go', 'version'), 'go is not installed, so the snippet for Go was not run');
  const cwd = write('go', {
    'go.mod': 'module receiver\n\ngo 1.19\n',
    'receiver.go': go.replace('package webhooks', 'package main'),
    'main.go': `package main

import (
	"encoding/json"
	"net/http"
	"os"
	"time"
)

func main() {
	var cases []struct {
		Headers map[string]string
		Body    string
		Secret  string
		Now     int64 \`json:"now_seconds"\`
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		panic(err)
	}
	verdicts := []bool{}
	for _, it := range cases {
		header := http.Header{}
		for name, value := range it.Headers {
			header.Set(name, value)
		}
		verdicts = append(verdicts, IsFromTandem(header, []byte(it.Body), it.Secret, time.Unix(it.Now, 0)))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}
`,
  });
  expect(verdicts('go', ['run', '.'], cwd)).toEqual(EXPECTED);
});

test('where Go is not installed, its snippet at least names what the rule asks for', () => {
  for (const part of ['hmac.New(sha256.New, []byte(secret))', 'timestamp + ":"', 'mac.Write(rawBody)'])
    expect(go).toContain(part);
  expect(go.indexOf('timestamp + ":"')).toBeLessThan(go.indexOf('mac.Write(rawBody)'));
  expect(go).toMatch(/Abs\(\) > 5\*time\.Minute/);
  expect(go).toContain('hmac.Equal([]byte(header.Get("X-Service-Signature")), []byte(expected))');
});

test('the helper can be imported from a linked checkout by Node itself', () => {
  const cwd = write('helper', {
    'package.json': '{"type":"module"}',
    'receive.ts': readmeBlock('README.md', 'verifyWebhook'),
    'main.ts': `import { readFileSync } from 'node:fs';
import { receive } from './receive.ts';
const { headers, body, secret, now } = JSON.parse(readFileSync(0, 'utf8'));
Date.now = () => now;
const post = (text: string) => receive(new Request('https://acme.com', { method: 'POST', headers, body: text }), secret);
console.log(JSON.stringify([await post(body), await post(body + ' ')]));`,
  });
  mkdirSync(join(cwd, 'node_modules'));
  mkdirSync(join(cwd, 'node_modules/@tandem-api'), { recursive: true });
  symlinkSync(ROOT, join(cwd, 'node_modules/@tandem-api/client'));
  const input = JSON.stringify({ headers: VALID, body, secret, now: AT * 1_000 });
  const printed = execFileSync(process.execPath, ['main.ts'], { cwd, input, encoding: 'utf8' });
  expect(JSON.parse(printed)).toEqual([JSON.parse(body), 'signature_mismatch']);
});
