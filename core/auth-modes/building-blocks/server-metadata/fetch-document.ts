import { isObject } from '#contract';
import { OutboundError, type OutboundResponse } from '../../../kit/outbound.ts';
import { parseStrictJson } from '../../../kit/strict-json.ts';
import { type ModeDeps, TokenFailure } from '../../auth-mode.ts';

/** Maximum size of a document in bytes; most have a few kilobytes. */
const MAX_BYTES = 128 * 1024;
const MAX_MS = 10_000;

/** The fields of a published JSON document. Their values have not been checked yet. */
export type PublishedDocument = Readonly<Record<string, unknown>>;

/**
 * Thrown if a document is missing, invalid or must not be trusted. For a refresh this is `transient`: no token request has been
 * sent yet, so no refresh token is used up, and the server may be repaired.
 */
export class UnusableDocument extends TokenFailure {
  constructor(message: string, facts: { readonly status?: number; readonly cause?: unknown } = {}) {
    super('transient', message, facts);
  }
}

export type DocumentDeps = Omit<ModeDeps, 'now'>;

interface DocumentRequest {
  readonly url: URL | string;
  /** The name of the document in error messages. */
  readonly what: string;
}

/**
 * Fetches a JSON document that a server publishes about itself. Redirects are not followed, since only this server may make
 * statements about itself.
 *
 * @returns undefined if there is no document, that is, if the response is a client error, or an HTML page, which some sites send
 *   for every address
 * @throws TokenFailure if the server cannot be reached now or may not be called; UnusableDocument for anything else
 */
export async function fetchDocument(deps: DocumentDeps, wanted: DocumentRequest): Promise<PublishedDocument | undefined> {
  const response = await fetchOnce(deps, wanted);
  const { status, headers, body } = response;
  if (status === 408 || status === 429 || status >= 500)
    throw new TokenFailure('transient', `${wanted.what} cannot be read at the moment`, { status });
  if (status >= 400 || isPage(headers['content-type'])) return undefined;
  const document = status === 200 ? readJson(body) : undefined;
  if (document === undefined) throw new UnusableDocument(`${wanted.what} is not a JSON object`, { status });
  return document;
}

async function fetchOnce(
  { outbound, tokenCallMs = MAX_MS }: DocumentDeps,
  { url, what }: DocumentRequest,
): Promise<OutboundResponse> {
  const bounds = { timeoutMs: Math.min(tokenCallMs, MAX_MS), maxBytes: MAX_BYTES };
  try {
    return await outbound.call(url, { headers: { accept: 'application/json' }, ...bounds });
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    if (cause.code === 'too_large') throw new UnusableDocument(`${what} is larger than 128 KiB`, { cause });
    const why = cause.code === 'address_not_allowed' ? 'its address is not allowed' : 'its server does not respond';
    throw new TokenFailure('transient', `${what} cannot be read: ${why}`, { cause });
  }
}

/** Returns whether the response is an HTML page rather than a document for programs. */
export function isPage(contentType = ''): boolean {
  return /^text\/html\b/i.test(contentType);
}

/** Parses JSON strictly, since a repeated name would be ambiguous. Returns undefined if the JSON is invalid. */
function readJson(body: Buffer): PublishedDocument | undefined {
  try {
    const value = parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
