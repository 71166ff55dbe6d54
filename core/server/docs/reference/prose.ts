import { ERROR_STATUS } from '../../../errors.ts';
import { html, type Markup } from '../../pages/html.ts';

/** Renders a sentence in which backticks mark code; error codes become links to their meaning. */
export function prose(text: string): Markup {
  const parts = text.split('`');
  return html`${parts.map((part, index) => (index % 2 === 0 ? html`${part}` : marked(part)))}`;
}

function marked(word: string): Markup {
  return Object.hasOwn(ERROR_STATUS, word) ? errorLink(word) : html`<code>${word}</code>`;
}

function errorLink(code: string): Markup {
  return html`<a href="/docs/errors#${code}"><code>${code}</code></a>`;
}

/** Renders a name so that it may be broken before each `separator`. */
export function breakable(name: string, separator: '/' | '.'): Markup {
  return html`${name.split(separator).map((part, index) => (index === 0 ? html`${part}` : html`<wbr>${separator}${part}`))}`;
}

/** Renders a JSON value or a command; long lines are wrapped. */
export function codeBlock(text: string): Markup {
  return html`<pre><code>${text}</code></pre>`;
}
