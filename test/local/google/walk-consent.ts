/** Fills the consent page's form as a browser would: hidden fields, the chosen account, every box not unticked. */
export function fillConsent(
  html: string,
  choice: { email: string; action?: 'allow' | 'deny'; untick?: string[] },
): URLSearchParams {
  const form = new URLSearchParams();
  for (const [tag] of html.matchAll(/<input\b[^>]*>/g)) {
    const type = attribute(tag, 'type');
    const name = attribute(tag, 'name');
    const value = attribute(tag, 'value');
    if (type === 'hidden' || (type === 'checkbox' && !choice.untick?.includes(value))) form.append(name, value);
  }
  form.append('email', choice.email);
  form.append('action', choice.action ?? 'allow');
  return form;
}

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return value
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
