import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { drainingOf } from './draining.ts';
import type { Reply } from './route.ts';

/** How long a client may leave a full buffer unread. */
const READING_LIMIT_MS = 60_000;

/** Writes the body of a response whose headers are set, part by part, no faster than it is read. */
export async function sendStream(response: ServerResponse, stream: NonNullable<Reply['stream']>): Promise<void> {
  response.flushHeaders();
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const draining = drainingOf(response.socket);
  try {
    for await (const part of stream(draining === undefined ? gone.signal : AbortSignal.any([gone.signal, draining]))) {
      if (gone.signal.aborted) break;
      if (!response.write(part))
        await once(response, 'drain', { signal: AbortSignal.any([gone.signal, AbortSignal.timeout(READING_LIMIT_MS)]) });
    }
    response.end();
  } catch {
    // Also when nobody read on. Cut short it must not look complete.
    response.destroy();
  }
}
