import type { IncomingMessage } from 'node:http';
import { ServiceError } from '../errors.ts';
import { giveTurn } from '../kit/give-turn.ts';
import { type BodyLimits, hasBody, readBody } from './read-body.ts';
import { parseStrictJson } from './strict-json.ts';

const JSON_TYPE = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

/**
 * The body of a request as JSON; undefined when there is none.
 *
 * @throws ServiceError `invalid_content_type`, `payload_too_large`, `request_timeout`, `invalid_json`, `invalid_body`
 */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  checkType(request);
  const bytes = await readBody(request, limits);
  const body = parseStrictJson(decode(bytes));
  await giveTurn(bytes.length);
  return body;
}

/** For routes that take no body. An announced type without a body is harmless: some clients always send one. */
export function refuseBody(request: IncomingMessage): void {
  if (hasBody(request)) throw new ServiceError('invalid_body', 'this endpoint takes no body');
}

function checkType({ headers }: IncomingMessage): void {
  const coding = headers['content-encoding'] ?? 'identity';
  if (JSON_TYPE.test(headers['content-type'] ?? '') && coding.toLowerCase() === 'identity') return;
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
