import type { IncomingMessage } from 'node:http';
import { hasBody } from '../../kit/early-response.ts';
import type { RawBody, RawRequest } from '../route.ts';
import { type BodyLimits, readBody } from './read-body.ts';
import { unpack, unpackerFor } from './unpack.ts';

/** A request as it came, for a route that takes any bytes. */
export function rawRequest(request: IncomingMessage, limits: BodyLimits): RawRequest {
  const { method = '', url = '' } = request;
  return {
    method,
    target: targetOf(url),
    headers: joinedHeaders(request),
    readBody: () => readWhole(request, limits),
    markVerified: () => limits.room.markVerified(),
  };
}

/** The limit holds for the packed bytes as they are read, and for what they unpack to. */
async function readWhole(request: IncomingMessage, limits: BodyLimits): Promise<RawBody> {
  const open = unpackerFor(request.headers['content-encoding']);
  const bytes = hasBody(request) ? await readBody(request, limits) : Buffer.alloc(0);
  return open === undefined ? { bytes } : { bytes: await unpack(bytes, open, limits), packed: bytes };
}

/** Node keeps only the first of some headers that are repeated, which would hide that there are two. */
function joinedHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(Object.entries(headersDistinct).map(([name, values]) => [name, values?.join(', ') ?? '']));
}

/** RFC 9112 §3.2.2: a server takes the absolute form, too. */
function targetOf(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '');
}
