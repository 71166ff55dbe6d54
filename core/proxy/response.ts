import { pipeline, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { ServiceError } from '../errors.ts';
import type { ProxyRequest, ProxyResponse } from './message.ts';
import { headerValue } from './raw-headers.ts';
import { responseHeaders } from './response-headers.ts';
import type { UpstreamResponse } from './send.ts';

const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Returns the response for the caller. @throws ServiceError `provider_unreachable` if the provider has interrupted it already */
export function toProxyResponse(response: UpstreamResponse, request: ProxyRequest): ProxyResponse {
  const { status, reason, headers, body } = response;
  request.signal.throwIfAborted();
  if (body.destroyed) throw new ServiceError('provider_unreachable', 'the provider interrupted its response');
  const { requestId, limitHeaders, isHttps } = request;
  const decoder = decoderOf(response, request);
  // An error in either stream destroys the other one, and reaches the reader of the passed body.
  const passedBody = decoder === undefined ? body : pipeline(body, decoder, () => undefined);
  const own = { requestId, limitHeaders, isHttps };
  const passed = responseHeaders(headers, { status, ...own, decompressed: decoder !== undefined });
  return { status, reason, headers: passed, body: passedBody };
}

function decoderOf({ status, headers }: UpstreamResponse, { method, options }: ProxyRequest): Transform | undefined {
  // Responses without a body: RFC 9110 §6.4.1.
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  if (!options.decompress || !hasBody) return undefined;
  const coding = headerValue(headers, 'content-encoding')?.trim().toLowerCase() ?? '';
  return Object.hasOwn(DECODERS, coding) ? DECODERS[coding]?.() : undefined;
}
