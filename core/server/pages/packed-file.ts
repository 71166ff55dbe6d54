import type { IncomingHttpHeaders } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Reply } from '../route.ts';

/** As `Content-Encoding` names them, the better one first. */
const ENCODINGS = ['br', 'gzip'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** What does not change while the service runs, in each form that a browser may take. */
export interface PackedFile {
  /** Media type. */
  readonly type: string;
  readonly content: Buffer;
  readonly packed: Readonly<Record<Encoding, Buffer>>;
}

/** Some ten milliseconds for a megabyte. */
export function pack(type: string, text: string): PackedFile {
  const content = Buffer.from(text);
  const br = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } });
  return { type, content, packed: { br, gzip: gzipSync(content) } };
}

/** In the encoding that the browser prefers; 304 when it has the one of the reply's `etag`. */
export function fileReply(file: PackedFile, request: IncomingHttpHeaders, headers: NonNullable<Reply['headers']>): Reply {
  const all = { ...headers, vary: 'accept-encoding' };
  if (knows(request['if-none-match'], headers['etag'])) return { status: 304, headers: all };
  const encoding = preferredEncoding(request['accept-encoding']);
  if (encoding === undefined) return { type: file.type, headers: all, body: file.content };
  return { type: file.type, headers: { ...all, 'content-encoding': encoding }, body: file.packed[encoding] };
}

/** RFC 9110 §13.1.2 */
function knows(known: string | undefined, etag: unknown): boolean {
  return (known ?? '').split(',').some((tag) => tag.trim() === etag);
}

/** @param accepted `Accept-Encoding`. @returns undefined: as it is (RFC 9110 §12.5.3) */
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
