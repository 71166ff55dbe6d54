import { ApiError } from '../../kit/api-error.ts';
import { liveEvents } from '../../kit/live-events.ts';
import { type Flow, hasEnded } from '../../kit/wire.ts';
import type { Api } from './api.ts';

const POLL_MS = 2_000;
const MAX_STREAM_FAILURES = 2;

export interface FollowOptions {
  readonly api: Pick<Api, 'events' | 'flow'>;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly online: () => Promise<void>;
  readonly signal: AbortSignal;
}

/** The last known state of a flow; version 0 means that no state is known. */
export type KnownFlow = Pick<Flow, 'id' | 'version' | 'state'>;

/** Yields each new state of a flow until it has ended: from its event stream, or by polling once the stream has failed twice. */
export async function* followFlow(options: FollowOptions, first: KnownFlow): AsyncGenerator<Flow> {
  let last: KnownFlow = first;
  let failures = 0;
  while (!hasEnded(last) && !options.signal.aborted) {
    await options.online();
    const isStreaming = failures < MAX_STREAM_FAILURES;
    try {
      for await (const flow of isStreaming ? streamed(options, last) : polled(options, last)) {
        failures = isStreaming ? 0 : failures;
        if (flow.version <= last.version) continue;
        last = flow;
        yield flow;
      }
    } catch (error) {
      if (options.signal.aborted || isFinal(error)) throw error;
    }
    if (isStreaming) failures += 1;
    if (!hasEnded(last)) await options.pause(isStreaming && failures < MAX_STREAM_FAILURES ? 0 : POLL_MS, options.signal);
  }
}

/** Returns whether an error is final: a repeated call would be refused again. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429;
}

async function* polled({ api, signal }: FollowOptions, { id }: KnownFlow): AsyncGenerator<Flow> {
  yield await api.flow(id, signal);
}

async function* streamed({ api, signal, pause }: FollowOptions, { id, version }: KnownFlow): AsyncGenerator<Flow> {
  const open = (either: AbortSignal) => api.events(id, version, either);
  for await (const { data } of liveEvents({ open, pause, signal })) {
    if (data !== '') yield JSON.parse(data);
  }
}
