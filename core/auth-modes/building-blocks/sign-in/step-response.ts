import type { JsonObject } from '#contract';
import type { OutboundResponse } from '../../../kit/outbound.ts';
import { readXml } from '../../../kit/read-xml.ts';
import { readResponseBody } from '../token-endpoint/response-body.ts';
import { decodings } from '../token-endpoint/response-charset.ts';
import type { SignInStep } from './step-request.ts';

/** The members of a step's response; of a list the items by their numbers. Undefined for what cannot be read. */
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
 * Cookies that a response sets (RFC 6265 §4.1), as a `Cookie` header sends them back.
 *
 * @param setCookie several cookies are joined with a comma, which also occurs in dates
 * @returns empty without the first one of the names
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
