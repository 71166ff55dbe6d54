import type { IncomingWebhook } from '#contract';
import { jsonPart, type ReadBody, readPayload, textOf } from './payload.ts';

/** A request to a webhook URL. */
export interface ArrivedRequest {
  readonly method: string;
  /** Path and query of the request. */
  readonly target: string;
  /** Names are in lower case; repeated headers are joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** Reads the body. `packed` has the received bytes, if `bytes` were decompressed. */
  readBody(): Promise<{ readonly bytes: Buffer; readonly packed?: Buffer | undefined }>;
  markVerified(): void;
}

/** A received delivery. */
interface Incoming {
  /** The delivery in the form for plugins. */
  readonly webhook: IncomingWebhook;
  /** The received JSON of the payload, if the body is JSON. */
  readonly json?: string | undefined;
}

/**
 * Reads a delivery. The body is parsed on first access to its payload: for most providers after the signature was verified.
 *
 * @throws ServiceError `webhook_invalid_payload`, and what reading the body throws
 */
export async function readIncoming(
  request: Omit<ArrivedRequest, 'markVerified'>,
  { baseUrl, payloadField }: { readonly baseUrl: string; readonly payloadField?: string | undefined },
): Promise<Incoming> {
  const { method, target, headers } = request;
  const { bytes: rawBody, packed: packedBody } = await request.readBody();
  const contentType = headers['content-type'] ?? '';
  const text = textOf(rawBody, contentType);
  const json = text === undefined ? undefined : jsonPart(text, contentType, payloadField);
  let known: ReadBody | undefined;
  const read = () => {
    known ??= readPayload(rawBody, text, json);
    return known;
  };
  return {
    webhook: {
      method,
      url: baseUrl + target,
      headers,
      query: readQuery(target),
      rawBody,
      packedBody,
      get payload() {
        return read().payload;
      },
    },
    get json() {
      return read().json;
    },
  };
}

/** Reads the query. Repeated parameters are joined with ", " like headers: two connection IDs match none. */
function readQuery(target: string): Record<string, string> {
  const start = target.indexOf('?');
  if (start === -1) return {};
  const found = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(target.slice(start + 1))) {
    const before = found.get(name);
    found.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(found);
}
