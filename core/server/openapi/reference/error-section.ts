import { ERROR_MEANINGS } from '../../../error-meanings.ts';
import { ERROR_STATUS, type ErrorCode } from '../../../errors.ts';
import { html, type Markup } from '../../pages/html.ts';
import { codeBlock, prose } from './prose.ts';

const EXAMPLE = {
  error: {
    code: 'invalid_body',
    message: 'Unrecognized key: "tag"',
    errors: [{ code: 'unrecognized_keys', message: 'Unrecognized key: "tag"', path: [] }],
  },
};

/** Every code, by status. */
export function errorSection(): Markup {
  const codes = Object.entries(ERROR_STATUS) as [ErrorCode, number][];
  const byStatus = Map.groupBy(codes, ([, status]) => status);
  return html`<section aria-labelledby="errors">
<h2 id="errors"><a href="#errors">Errors</a></h2>
<p>Every error has this body. Match on <code>code</code>: messages are for people and may change. Each entry of <code>errors</code>
describes one invalid field. The header <code>Svc-Request-Id</code> identifies the request in the service’s log.</p>
${codeBlock(JSON.stringify(EXAMPLE, null, 2))}
${[...byStatus].toSorted(([a], [b]) => a - b).map(([status, own]) => statusSection(status, own))}
</section>
`;
}

function statusSection(status: number, codes: readonly [ErrorCode, number][]): Markup {
  return html`<h3 id="status-${status}"><a href="#status-${status}">Status ${status}</a></h3>
<dl class="fields">${codes.map(([code]) => errorRow(code))}</dl>
`;
}

function errorRow(code: ErrorCode): Markup {
  const { meaning, remedy } = ERROR_MEANINGS[code];
  return html`<div id="error-${code}"><dt><code>${code}</code></dt><dd>${prose(meaning)} ${prose(remedy)}</dd></div>\n`;
}
