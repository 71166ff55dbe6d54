import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type Agent, request as httpRequest, type IncomingMessage } from 'node:http';

export interface Sent {
  readonly port: number;
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** Sends the body in chunks, without a length. */
  readonly chunked?: boolean;
  readonly agent?: Agent;
}

export interface Received {
  readonly status: number;
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
  /** True if the response arrived completely. */
  readonly complete: boolean;
}

/**
 * Sends a request exactly as given, and returns the response exactly as it arrives: nothing is decompressed or repaired, and no
 * redirect is followed.
 */
export async function send(sent: Sent): Promise<Received> {
  return receive(await begin(sent));
}

/** Sends a request and resolves when the head of the response has arrived. */
export async function begin({ port, method = 'GET', path, headers, body, chunked, agent }: Sent): Promise<IncomingMessage> {
  const framing = body === undefined ? {} : chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length };
  const request = httpRequest({
    port,
    host: '127.0.0.1',
    method,
    path,
    headers: { ...headers, ...framing },
    agent: agent ?? false,
    maxHeaderSize: 128 * 1024,
  });
  // A response that breaks off, or arrives before the whole body was sent, makes the request emit an error, which must not fail
  // the test.
  request.on('error', () => undefined).end(body);
  const [response]: [IncomingMessage] = await once(request, 'response').then(([first]) => [first]);
  return response;
}

export async function receive(response: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('error', () => undefined);
  await new Promise((resolve) => response.once('close', resolve));
  const { statusCode = 0, rawHeaders, headers, complete } = response;
  return { status: statusCode, rawHeaders, headers, body: Buffer.concat(chunks), complete };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
