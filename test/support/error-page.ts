import { expect } from 'chai';
import type { OpenApiDocument } from '../../core/server/openapi/model.ts';

/** The statuses of responses to requests that match no route: unknown path, wrong method, URL too long. */
const UNROUTED = [404, 405, 414];
const TAGS = new RegExp(
  [
    /<(?:!doctype html|html lang="en"|meta [^<>&]+|p class="reference"|\/?(?:html|head|title|style|body|main|h1|p|code))>/,
    /<(?:div class="mark \w+" aria-hidden="true"|svg viewBox="0 0 16 16"|path d="[\w .-]+"\/|\/div|\/svg)>/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const ENTITIES = /&(?:amp|lt|gt|quot|#39);/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the point
const CONTROL_CHARACTERS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** The response to a request that accepts HTML. */
export interface PageResponse {
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly text: string;
}

interface ReceivedError {
  readonly path: string;
  readonly status: number;
}

/**
 * Creates a function that tells whether an error must be shown as a page if the request matches no route and accepts HTML. It
 * must if the first segment of its path is that of a documented endpoint whose errors may be pages.
 */
export function errorPagesOf({ paths }: OpenApiDocument): (error: ReceivedError) => boolean {
  const folders = new Set(
    Object.entries(paths)
      .filter(([, operations]) =>
        Object.values(operations).some(({ responses }) => 'text/html' in (responses[400]?.content ?? {})),
      )
      .map(([template]) => folderOf(template)),
  );
  return ({ path, status }) => UNROUTED.includes(status) && folders.has(folderOf(path));
}

/** Asserts that a response is an error page with the headers that all errors have, and only known tags and escaped texts. */
export function expectErrorPage({ headers, text }: PageResponse, status: number): void {
  const codes: Readonly<Record<number, string>> = { 404: 'not_found', 405: 'method_not_allowed', 414: 'uri_too_long' };
  expect(headers['content-type']).to.equal('text/html; charset=utf-8');
  expect(headers['svc-error']).to.equal(codes[status]);
  expect(headers['x-content-type-options']).to.equal('nosniff');
  expect(headers['cache-control']).to.equal('no-store');
  expect(headers['content-security-policy']).to.match(/^default-src 'none'; style-src 'sha256-[\w+/]+=*'; /);
  if (status === 405) expect(headers['allow']).to.match(/^[A-Z]+(, [A-Z]+)*$/);
  expect(text).to.include(`Reference: <code>${String(headers['svc-request-id'])}</code>`);
  expect(text.replaceAll(TAGS, '').replaceAll(ENTITIES, '')).not.to.match(/[<>&]/);
  expect(text).not.to.match(CONTROL_CHARACTERS);
}

function folderOf(path: string): string {
  return path.split('/', 2).join('/');
}
