import { html } from 'hono/html';
import type { Child } from 'hono/jsx';

/** Returns the HTML of a page to prerender. The style of prerendered pages is a placeholder in it. */
export const htmlOf = async (page: Child): Promise<string> => String(await html`<!doctype html>${page}`);
