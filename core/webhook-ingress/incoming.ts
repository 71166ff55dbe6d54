import type { IncomingWebhook } from '#contract';
import { textOf } from './body-text.ts';
import { checkCost, type ReadBody, readPayload } from './payload.ts';

/** A request to a webhook's address, as it came. */
export interface ArrivedRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** Lower-case names; repeated headers joined with ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** `packed`: as it came, where `bytes` were unpacked. */
  readBody(): Promise<{ readonly bytes: Buffer; readonly packed?: Buffer | undefined }>;
  markVerified(): void;
}

/** A delivery as it was read. */
export interface Incoming {
  /** What plugins are shown of it. */
  readonly webhook: IncomingWebhook;
  /** The payload's JSON as it came, where the body is JSON. */
  readonly json?: string | undefined;
}

/**
 * The body is parsed when its payload is first asked for: of most providers after the signature was verified.
 *
 * @throws ServiceError `webhook_invalid_payload`, and what reading the body throws
 */
export async function readIncoming(request: Omit<ArrivedRequest, 'markVerified'>, baseUrl: string): Promise<Incoming> {
  const { method, target, headers } = request;
  const { bytes: rawBody, packed: packedBody } = await request.readBody();
  const contentType = headers['content-type'] ?? '';
  const text = textOf(rawBody, contentType);
  if (text !== undefined) checkCost(text, contentType);
  let known: ReadBody | undefined;
  const read = () => {
    known ??= readPayload(rawBody, text, contentType);
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

/** Repeated parameters joined with ", " as headers are: two connection IDs are no one's. */
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
