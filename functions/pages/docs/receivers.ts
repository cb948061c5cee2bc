/**
 * A whole server for Node that receives events with the client. It counts an event as seen before it works on it, and
 * forgets the events when it ends, which is enough to begin with.
 */
export const RECEIVING_SERVER = `import { createServer } from 'node:http';
import { verifyWebhook } from '@tandem-api/client';

const seen = new Set(); // IDs of events. In production, keep them in your database.

createServer(async (req, res) => {
  const chunks = [];
  for await (const chunk of req) chunks.push(chunk);
  const verdict = await verifyWebhook({
    secret: process.env.TANDEM_WEBHOOK_SECRET,
    headers: req.headers,
    body: Buffer.concat(chunks), // The raw bytes, not parsed JSON.
  });
  res.writeHead(verdict.ok ? 204 : 401).end();
  if (!verdict.ok || seen.has(verdict.event.id)) return;
  seen.add(verdict.event.id);
  console.log(verdict.event.event_type, JSON.stringify(verdict.event.data));
}).listen(process.env.PORT ?? 3000);`;

/** Webhook receivers without a library. The webhooks page shows them, and `npm run test:long` tests them. */
export const RECEIVERS = {
  node: `import { createHmac, timingSafeEqual } from 'node:crypto';

/** Returns true if Tandem sent the request. Pass the headers as Node provides them, and the body exactly as received. */
export function isFromTandem(headers, rawBody, secret, now = Date.now()) {
  const timestamp = String(headers['x-service-timestamp'] ?? '');
  if (!/^\\d{1,12}$/.test(timestamp) || Math.abs(now / 1000 - Number(timestamp)) > 300) return false;
  const expected = Buffer.from(createHmac('sha256', secret).update(\`\${timestamp}:\`).update(rawBody).digest('hex'));
  const previous = String(headers['x-service-signature-previous'] ?? '').split(',', 5);
  return [String(headers['x-service-signature'] ?? ''), ...previous]
    .map((text) => Buffer.from(text.trim()))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}
`,
  python: `import hashlib
import hmac
import time


def is_from_tandem(headers, raw_body, secret, now=None):
    """Returns True if Tandem sent the request. Pass case-insensitive headers, and the bytes exactly as received."""
    timestamp = headers.get("X-Service-Timestamp") or ""
    previous = (headers.get("X-Service-Signature-Previous") or "").split(",")[:5]
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return False
    if abs((time.time() if now is None else now) - int(timestamp)) > 300:
        return False
    expected = hmac.new(secret.encode(), timestamp.encode() + b":" + raw_body, hashlib.sha256).hexdigest()
    given = [headers.get("X-Service-Signature") or "", *previous]
    return any(hmac.compare_digest(one.strip().encode(), expected.encode()) for one in given)
`,
  go: `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// IsFromTandem reports whether Tandem sent the request. Pass the body exactly as received, and time.Now().
func IsFromTandem(header http.Header, rawBody []byte, secret string, now time.Time) bool {
	timestamp := header.Get("X-Service-Timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now.Sub(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(timestamp + ":"))
	mac.Write(rawBody)
	expected := hex.EncodeToString(mac.Sum(nil))
	previous := strings.SplitN(header.Get("X-Service-Signature-Previous"), ",", 6)
	for place, given := range append([]string{header.Get("X-Service-Signature")}, previous...) {
		if place <= 5 && hmac.Equal([]byte(strings.TrimSpace(given)), []byte(expected)) {
			return true
		}
	}
	return false
}
`,
};

/** Sample webhook delivery, signed with a published secret, for testing a receiver. */
export const VECTOR = {
  secret: 'whsec_cHVibGlzaGVkIHdpdGggdGhlIHJlYWRtZSwgbmV2ZXIgdXNlIGl0',
  timestamp: '1795442400',
  body: '{"id":"wh_vector","event_type":"meeting.cancelled","timestamp":"2026-11-23T14:00:00.000Z","platform_id":"plat_vector","api_version":"v1","data":{"meeting_id":"meet_vector","reason":"Café fermé ☕"}}',
  signature: 'ee036072abc77a654313f5ab22d1b7510665930d9b27ccd83c9cd3e4ae2feac3',
  standard_signature: 'v1,EPCoWMG2ifAJkzuQ+djDhUlcH9+QI98yH47F09Tx/bM=',
};
