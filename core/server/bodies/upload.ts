import { Writable } from 'node:stream';
import type { Context } from 'koa';
import { type ExtendedFormidableOptions, koaBody } from 'koa-body';
import { ServiceError } from '../../errors.ts';
import { abortable } from '../../kit/abortable.ts';
import { errorCode } from '../../kit/error-code.ts';
import type { BodyLimits } from './read-body.ts';

const TYPE = 'multipart/form-data';
/** Maximum number of bytes around the file in the body: the form's boundaries and the headers of its parts. */
const ENVELOPE_BYTES = 4_096;
/** Formidable's error codes for a file, or all files together, with too many bytes. */
const TOO_LARGE = new Set(['1009', '1016']);

/** A file that is uploaded by a form. */
export interface UploadSpec {
  /** The name of the form's part that holds the file. */
  readonly field: string;
  readonly maxBytes: number;
}

/**
 * Reads the one file of a form into memory: nothing is written to disk.
 *
 * @throws ServiceError `invalid_content_type`, `payload_too_large`, `overloaded`, `request_timeout`; `invalid_body` unless the
 *   body is a form with exactly this one file
 */
export async function readUpload(ctx: Context, { field, maxBytes }: UploadSpec, limits: BodyLimits): Promise<Buffer> {
  if (ctx.is(TYPE) !== TYPE) throw new ServiceError('invalid_content_type', `send the file as ${TYPE}`);
  const announced = ctx.req.headers['content-length'];
  // The form parser limits files, but not what surrounds them. No more is read than the announced length, so the length is limited
  // instead.
  if (announced === undefined) throw new ServiceError('payload_too_large', 'send the form with a Content-Length');
  if (Number(announced) > maxBytes + ENVELOPE_BYTES) throw tooLarge(maxBytes);
  await limits.room.reserve(maxBytes + ENVELOPE_BYTES);
  const pieces: Buffer[] = [];
  const names: string[] = [];
  const parse = koaBody({
    multipart: true,
    json: false,
    text: false,
    urlencoded: false,
    formidable: { ...inMemory(pieces, maxBytes), onFileBegin: (name) => names.push(name) },
  });
  try {
    await abortable(
      AbortSignal.timeout(limits.deadlineMs),
      parse(ctx, async () => undefined),
    );
  } catch (cause) {
    throw faultOf(cause, maxBytes);
  }
  if (names.length === 1 && names[0] === field) return Buffer.concat(pieces);
  throw new ServiceError('invalid_body', `the form must have one file, called "${field}"`);
}

function inMemory(pieces: Buffer[], maxBytes: number): ExtendedFormidableOptions {
  return {
    maxFiles: 1,
    maxFileSize: maxBytes,
    maxTotalFileSize: maxBytes,
    maxFields: 1,
    maxFieldsSize: ENVELOPE_BYTES,
    allowEmptyFiles: false,
    fileWriteStreamHandler: () =>
      new Writable({
        write(piece: Buffer, _encoding, done) {
          pieces.push(piece);
          done();
        },
      }),
  };
}

function faultOf(cause: unknown, maxBytes: number): unknown {
  if (cause instanceof ServiceError) return cause;
  if (cause instanceof Error && ['TimeoutError', 'AbortError'].includes(cause.name))
    return new ServiceError('request_timeout', 'the body did not arrive in time');
  if (TOO_LARGE.has(String(errorCode(cause)))) return tooLarge(maxBytes);
  return new ServiceError('invalid_body', 'the body is not a valid form', { cause });
}

function tooLarge(maxBytes: number): ServiceError {
  return new ServiceError('payload_too_large', `the file may have at most ${maxBytes / 1024} KB`);
}
