import { ApiError } from '../../kit/api-error.ts';
import { liveEvents } from '../../kit/live-events.ts';

const PAUSES_MS = [500, 2_000, 5_000, 15_000];

export interface FollowOptions {
  /** Opens a stream. @param after ID of the last event that is known; empty when none is */
  readonly open: (after: string, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly online: () => Promise<void>;
  readonly signal: AbortSignal;
  /** ID of the last event that an earlier call for the same stream yielded; empty when there was none. */
  readonly after: string;
  /** Called with true when a stream has opened, so that events arrive as they happen, and with false when it has ended. */
  readonly onLive: (isLive: boolean) => void;
}

/**
 * Yields each event once, opening a new stream whenever one ends, until the signal is aborted. An event without data only
 * announces a new ID.
 *
 * @throws ApiError when the service refuses the stream
 */
export async function* follow(options: FollowOptions): AsyncGenerator<{ readonly id: string; readonly data: string }> {
  const { open, pause, online, signal, onLive } = options;
  let { after } = options;
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      await online();
      const opened = async (either: AbortSignal) => {
        const stream = await open(after, either);
        onLive(true);
        return stream;
      };
      for await (const event of liveEvents({ open: opened, pause, signal })) {
        failures = 0;
        after = event.id || after;
        yield event;
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) throw error;
    } finally {
      onLive(false);
    }
    await pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0, signal).catch(() => undefined);
  }
}
