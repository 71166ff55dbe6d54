import { ApiError } from '../../kit/api-error.ts';
import { liveEvents } from '../../kit/live-events.ts';

const PAUSES_MS = [500, 2_000, 5_000, 15_000];

export interface FollowOptions {
  /** @param after ID of the last event that is known; empty: none */
  readonly open: (after: string, signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>;
  readonly pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly online: () => Promise<void>;
  readonly signal: AbortSignal;
  /** Of an earlier following of the same. */
  readonly after: string;
  /** Whether events come as they happen. */
  readonly onLive: (isLive: boolean) => void;
}

/** Yields each event once, one without data where only its ID is news, over as many streams as it takes; ends when the signal is aborted. @throws ApiError where it is refused */
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
