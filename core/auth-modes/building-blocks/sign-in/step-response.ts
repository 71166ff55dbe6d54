import type { JsonObject } from '#contract';
import type { OutboundResponse } from '../../../kit/outbound.ts';
import { readXml } from '../../../kit/read-xml.ts';
import { readResponseBody } from '../token-endpoint/response-body.ts';
import { decodings } from '../token-endpoint/response-charset.ts';
import type { SignInStep } from './step-request.ts';

/** Returns the fields of a step's response, or a list's items by their indexes. Undefined if the response cannot be parsed. */
export function stepBody({ body, headers }: OutboundResponse, { body_format }: SignInStep): JsonObject | undefined {
  const contentType = headers['content-type'];
  if (body_format === 'xml') return readXmlBody(body, contentType);
  const start = body.subarray(0, 64).toString('latin1').trimStart();
  if (!start.startsWith('[')) return readResponseBody(body, contentType);
  const whole = readResponseBody(Buffer.concat([Buffer.from('{"list":'), body, Buffer.from('}')]), contentType);
  const list = whole?.['list'];
  return Array.isArray(list) ? Object.fromEntries(list.entries()) : undefined;
}

/**
 * Returns the named cookies that a response sets (RFC 6265 §4.1), as the value of a `Cookie` header.
 *
 * @param setCookie the `Set-Cookie` header; several cookies are joined with a comma, which also occurs in dates
 * @returns '' if the first of the names is missing
 */
export function cookieHeader(setCookie: string | undefined, names: readonly string[]): string {
  const pairs = (setCookie ?? '').split(/,\s*(?=[^\s;,=]+=)/).map((cookie) => cookie.split(';', 1)[0]?.trim() ?? '');
  const found = names.map((name) => pairs.find((pair) => pair.startsWith(`${name}=`) && pair.length > name.length + 1));
  return found[0] === undefined ? '' : found.filter((pair) => pair !== undefined).join('; ');
}

function readXmlBody(body: Buffer, contentType: string | undefined): JsonObject | undefined {
  for (const decoded of decodings(body, contentType)) {
    const document = readXml(decoded.trim());
    if (document !== undefined) return document;
  }
  return undefined;
}
