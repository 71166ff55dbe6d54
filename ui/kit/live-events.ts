import { readEvents, type StreamEvent } from './event-stream.ts';

/** Time after which a silent stream counts as dead, or as buffered by a proxy: the service sends a comment every 15 s. */
const SILENCE_MS = 40_000;

export interface LiveOptions {
  readonly open: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Yields the events of one stream until it ends, including those that have only an ID.
 *
 * @throws the error of opening or reading the stream; an AbortError if nothing arrives for 40 seconds
 */
export async function* liveEvents({ open, pause, signal }: LiveOptions): AsyncGenerator<StreamEvent> {
  const stop = new AbortController();
  const either = AbortSignal.any([signal, stop.signal]);
  let watch = new AbortController();
  const guard = () => {
    watch.abort();
    watch = new AbortController();
    pause(SILENCE_MS, watch.signal).then(
      () => stop.abort(),
      () => {},
    );
  };
  guard();
  try {
    for await (const event of readEvents(await open(either))) {
      guard();
      if (event.data !== '' || event.id !== '') yield event;
    }
  } finally {
    watch.abort();
    stop.abort();
  }
}
