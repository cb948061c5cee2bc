const UNIT_MS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const PARTS = /^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/;

/** Parses a duration as QStash writes it (`10s`, `6m5s`, `7d`) to milliseconds. Returns undefined for other text. */
export function parseDuration(text: string): number | undefined {
  if (!PARTS.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)) {
    total += Number(amount) * (UNIT_MS[unit ?? ''] ?? 0);
  }
  return total;
}
