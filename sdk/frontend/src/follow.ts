import { type Caller, call, pause, send } from './caller.ts';
import { type Flow, hasEnded } from './flow.ts';

/** A stream may die without a sign of it; a new one goes on where the last one was. */
const STREAM_MS = 60_000;
/** With the pauses between them an hour without an answer: no flow lives longer. */
const RETRIES = 1_800;

/** The flow and every new state of it until it has ended. */
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
 * Reads `text/event-stream` (HTML, "Server-sent events") by `fetch`: `EventSource` sends no `Authorization`. Where that breaks off,
 * it asks: why it did does not matter, for what the service refuses it refuses again.
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
      // A flow is one line of JSON.
      for (const line of lines) if (line.startsWith('data:')) yield JSON.parse(line.slice(5));
    }
  } catch {}
  yield await call<Flow>(caller, path, { signal, retries: RETRIES });
}
