import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../../errors.ts';
import { countJson } from '../../kit/count-json.ts';
import { hasBody } from '../../kit/early-response.ts';
import { takeParsingTurn } from '../../kit/parsing-turn.ts';
import { JsonError, parseStrictJson } from '../../kit/strict-json.ts';
import { type BodyLimits, readBody } from './read-body.ts';

/** Matches the JSON media type (RFC 8259 §11), and the suffix `+json` (RFC 6839 §3.1). */
const JSON_TYPE = /^(?:application\/json|[^\s/]+\/[^\s/]+\+json)$/i;
const UTF_8 = /^"?utf-?8"?$/i;
/** Maximum number of values in a body: each costs far more memory than its bytes. */
const MAX_VALUES = 1_000_000;
/** Minimum size of a value and its separator. */
const BYTES_PER_VALUE = 2;

/**
 * Reads the body of a request as JSON; undefined when there is none.
 *
 * @throws ServiceError `invalid_content_type`, `payload_too_large`, `request_timeout`, `invalid_json`; `invalid_body` for a body
 *   that ends early, or for valid JSON that is refused, such as one with too many values
 */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  checkType(request);
  const bytes = await readBody(request, limits);
  using _turn = await takeParsingTurn(bytes.length);
  const text = decode(bytes);
  if (bytes.length > MAX_VALUES * BYTES_PER_VALUE && countJson(text).values > MAX_VALUES)
    throw new ServiceError('invalid_body', `the body may contain at most ${MAX_VALUES} values`);
  return parseBody(text);
}

function parseBody(text: string): unknown {
  try {
    return parseStrictJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonError)) throw cause;
    const { code, message, path, position } = cause;
    if (code === 'malformed')
      throw new ServiceError('invalid_json', `the body is not valid JSON: ${message} at position ${position}`, { cause });
    throw new ServiceError('invalid_body', 'the body is valid JSON, but contains something that is not allowed', {
      details: [{ code, message, path }],
      cause,
    });
  }
}

/** Refuses a body, for routes that accept none. A Content-Type without a body is harmless: some clients always send one. */
export function refuseBody(request: IncomingMessage): void {
  if (hasBody(request)) throw new ServiceError('invalid_body', 'this endpoint does not accept a body');
}

function checkType({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding'] ?? 'identity';
  const [type = '', ...parameters] = (headers['content-type'] ?? '').split(';').map((part) => part.trim());
  const isUtf8 = parameters.every((one) => !/^charset=/i.test(one) || UTF_8.test(one.slice('charset='.length)));
  if (JSON_TYPE.test(type) && isUtf8 && coding.toLowerCase() === 'identity') return;
  throw new ServiceError(
    'invalid_content_type',
    'send the body as JSON in UTF-8, uncompressed, with "Content-Type: application/json"',
  );
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ServiceError('invalid_json', 'the body is not valid UTF-8', { cause });
  }
}
