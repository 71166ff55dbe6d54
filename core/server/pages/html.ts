import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Reply } from '../route.ts';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Markup that needs no escaping. Only `html` creates it. */
class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type { Markup };

/**
 * Builds markup. Inserted texts are escaped, for element content and quoted attributes; markup, and lists of it, are inserted as
 * they are.
 */
export function html(parts: TemplateStringsArray, ...values: readonly (string | number | Markup | readonly Markup[])[]): Markup {
  return new Markup(parts.reduce((text, part, at) => text + render(values[at - 1] ?? '') + part));
}

/** Takes text as markup. The caller guarantees that it comes from files of this project, never from a request or a provider. */
export function trustedMarkup(text: string): Markup {
  return new Markup(text);
}

interface Page {
  readonly title: string;
  /** BCP 47 tag. Default: English. */
  readonly lang?: string;
  readonly style: string;
  readonly body: Markup;
  readonly status?: number;
  /** The path of a script file of the service. Default: the page has no script. */
  readonly scriptUrl?: string | undefined;
  /** The addresses that the script may call, as in a policy. Default: none. */
  readonly connectSrc?: string;
  /** The addresses to which a form on the page may be sent, as in a policy. Default: none. */
  readonly formAction?: string;
}

/** The colours and fonts that all pages share, including the built ones. */
const TOKENS = readFileSync(new URL('../../../ui/kit/tokens.css', import.meta.url), 'utf8');

/**
 * Renders a page. Its policy allows its own style sheet, by hash, the service's scripts if it has one, and nothing else (CSP Level
 * 3 §2.3.1).
 */
export function pageReply({
  title,
  lang = 'en',
  style,
  body,
  status = 200,
  scriptUrl,
  connectSrc,
  formAction = "'none'",
}: Page): Reply & { readonly body: string } {
  const sheet = `${TOKENS}${style}`;
  const hash = createHash('sha256').update(sheet).digest('base64');
  const script = scriptUrl === undefined ? [] : [html`<script type="module" src="${scriptUrl}"></script>`];
  const page = html`<!doctype html>
<html lang="${lang}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title}</title>${new Markup(`<style>${sheet}</style>`)}${script}</head>
<body>${body}</body>
</html>
`;
  const directives = [
    "default-src 'none'",
    `style-src 'sha256-${hash}'`,
    ...(scriptUrl === undefined ? [] : ["script-src 'self'"]),
    ...(connectSrc === undefined ? [] : [`connect-src ${connectSrc}`]),
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ];
  const policy = directives.join('; ');
  return { status, type: 'text/html; charset=utf-8', body: page.text, headers: { 'content-security-policy': policy } };
}

function render(value: string | number | Markup | readonly Markup[]): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'object') return value.map((one) => one.text).join('');
  return String(value).replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}
