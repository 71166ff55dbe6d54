import { type Caller, call, pause, send } from './caller.ts';
import { type Flow, hasEnded } from './flow.ts';

/** Time after which a stream is replaced by a new one, which continues it: a broken stream may give no sign of being broken. */
const STREAM_MS = 60_000;
/** Number of retries: with the pauses between them, they last an hour without a response, which is longer than any flow lives. */
const RETRIES = 1_800;

/** Yields the flow and every new state of it until it has ended. */
export async function* follow(caller: Caller, first: Flow, signal: AbortSignal): AsyncGenerator<Flow> {
  let last = first;
  yield last;
  while (!hasEnded(last)) {
    for await (const flow of statesAfter(caller, last, signal)) {
      if (flow.version <= last.version) continue;
      last = flow;
      yield last;
      if (hasEnded(last)) return;
    }
    await pause();
  }
}

/**
 * Yields the states after a known one. Reads `text/event-stream` (HTML, "Server-sent events") by `fetch`, because `EventSource`
 * cannot send `Authorization`. When the stream breaks off, for whatever reason, it requests the state: if the service refused the
 * stream, it refuses this call, too.
 */
async function* statesAfter(caller: Caller, { id, version }: Flow, signal: AbortSignal): AsyncGenerator<Flow> {
  const path = `/connect/flows/${id}`;
  try {
    const { body } = await send(caller, `${path}/events`, {
      headers: { 'last-event-id': String(version) },
      signal: AbortSignal.any([signal, AbortSignal.timeout(STREAM_MS)]),
    });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      const lines = (text + part.value).split('\n');
      text = lines.pop() ?? '';
      // The data of each event is a flow, as one line of JSON. All other lines are ignored.
      for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice(5));
    }
  } catch {}
  yield await call<Flow>(caller, path, { signal, retries: RETRIES });
}
