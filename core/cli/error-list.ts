import { ERROR_MEANINGS } from '../error-meanings.ts';
import { ERROR_STATUS } from '../errors.ts';

const INTRODUCTION = `# Errors

Every error is answered as \`{"error": {"code", "message", "errors"?}}\`, each code with one status. Match on \`code\`:
messages are for people and may change. Each entry of \`errors\` is \`{"code", "message", "path"}\` and names one member that
is wrong. The header \`Svc-Request-Id\` names the request in the service’s log. \`Svc-Error\` repeats the code: an answer
below \`/proxy/\` without it is the provider’s own.

This file is written by \`npm run schema\`.
`;

const HEAD = ['code', 'status', 'meaning', 'what to do'];

/** `docs/errors.md`. */
export function describeErrors(): string {
  const rows = Object.entries(ERROR_MEANINGS).map(([code, { meaning, remedy }]) => [
    `\`${code}\``,
    String(statusOf(code)),
    meaning,
    remedy,
  ]);
  const sorted = [HEAD, ...rows.toSorted(([, one], [, other]) => Number(one) - Number(other))];
  const widths = HEAD.map((_, column) => Math.max(...sorted.map((cells) => cells[column]?.length ?? 0)));
  const [head = HEAD, ...lines] = sorted;
  const rule = widths.map((width) => '-'.repeat(width));
  return `${INTRODUCTION}\n${[head, rule, ...lines].map((cells) => lineOf(cells, widths)).join('')}`;
}

/** Padded, as the formatter of the project writes tables. */
function lineOf(cells: readonly string[], widths: readonly number[]): string {
  return `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
}

function statusOf(code: string): number {
  return Object.entries(ERROR_STATUS).find(([known]) => known === code)?.[1] ?? 0;
}
