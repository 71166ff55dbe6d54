import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Reply } from '../route.ts';

/** Named as in `Content-Encoding`; the one that compresses better comes first. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** A file that does not change while the service runs, in each encoding that a browser may accept. */
export interface PackedFile {
  /** Media type. */
  readonly type: string;
  readonly content: Buffer;
  readonly packed: Readonly<Record<Encoding, Buffer>>;
}

/** Compresses a text in each encoding, which takes some ten milliseconds per megabyte. */
export function pack(type: string, text: string): PackedFile {
  const content = Buffer.from(text);
  const br = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  return { type, content, packed: { br, gzip: gzipSync(content) } };
}

/** Returns the file in the encoding that the browser prefers, or 304 when it has the version of the `etag` in `headers`. */
export function fileReply(file: PackedFile, request: IncomingHttpHeaders, headers: NonNullable<Reply['headers']>): Reply {
  const all = { ...headers, vary: 'accept-encoding' };
  if (knows(request['if-none-match'], headers['etag'])) return { status: 304, headers: all };
  const encoding = preferredEncoding(request['accept-encoding']);
  if (encoding === undefined) return { type: file.type, headers: all, body: file.content };
  return { type: file.type, headers: { ...all, 'content-encoding': encoding }, body: file.packed[encoding] };
}

/** Evaluates `If-None-Match` (RFC 9110 §13.1.2). */
function knows(known: string | undefined, etag: unknown): boolean {
  return (known ?? '').split(',').some((tag) => tag.trim() === etag);
}

/** @param accepted the value of `Accept-Encoding` @returns undefined for the uncompressed form (RFC 9110 §12.5.3) */
function preferredEncoding(accepted = ''): Encoding | undefined {
  const weights = new Map(
    accepted
      .toLowerCase()
      .split(',')
      .map((one) => {
        const [coding = '', weight = ''] = one.split(';', 2);
        return [coding.trim(), /^\s*q\s*=\s*0(\.0*)?\s*$/.test(weight)] as const;
      }),
  );
  const isRefused = (coding: string) => weights.get(coding) ?? weights.get('*') ?? true;
  return ENCODINGS.find((coding) => !isRefused(coding));
}
