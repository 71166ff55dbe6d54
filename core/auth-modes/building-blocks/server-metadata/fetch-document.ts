import { isObject } from '#contract';
import { OutboundError, type OutboundResponse } from '../../../kit/outbound.ts';
import { parseStrictJson } from '../../../kit/strict-json.ts';
import { type ModeDeps, TokenFailure } from '../../auth-mode.ts';

/** Of one document, beyond which nothing is waited for: a few kilobytes are usual. */
const MAX_BYTES = 128 * 1024;
const MAX_MS = 10_000;

/** Not yet checked. */
export type PublishedDocument = Readonly<Record<string, unknown>>;

/**
 * A document that is missing, not valid, or not to be believed. No token request was made for it, so it is `transient` for a
 * renewal: nothing is spent, and the server may be repaired.
 */
export class UnusableDocument extends TokenFailure {
  constructor(message: string, facts: { readonly status?: number; readonly cause?: unknown } = {}) {
    super('transient', message, facts);
  }
}

export type DocumentDeps = Omit<ModeDeps, 'now'>;

interface DocumentRequest {
  readonly url: URL | string;
  /** What it is, for messages. */
  readonly what: string;
}

/**
 * A JSON document that a server publishes about itself. Redirects are not followed: what is published elsewhere is not published
 * by this server.
 *
 * @returns undefined if there is none: a client error, or a page for people, with which some sites answer every address
 * @throws TokenFailure if the server cannot be asked now or may not be asked; UnusableDocument for anything else
 */
export async function fetchDocument(deps: DocumentDeps, wanted: DocumentRequest): Promise<PublishedDocument | undefined> {
  const response = await fetchOnce(deps, wanted);
  const { status, headers, body } = response;
  if (status === 408 || status === 429 || status >= 500)
    throw new TokenFailure('transient', `${wanted.what} cannot be read now`, { status });
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

/** Whether it is for people. */
export function isPage(contentType = ''): boolean {
  return /^text\/html\b/i.test(contentType);
}

/** Strictly: a repeated member could be read in two ways. */
function readJson(body: Buffer): PublishedDocument | undefined {
  try {
    const value = parseStrictJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
