import { AuthError } from './auth-error.ts';
import { type Caller, call, send } from './caller.ts';
import { type Flow, hasEnded } from './flow.ts';

const PAUSE_MS = 2_000;
/** A stream may die without a sign of it; a new one goes on where the last one was. */
const STREAM_MS = 60_000;

/** The flow and every new state of it until it has ended: from its event stream, and where that breaks by asking. */
export async function* follow(caller: Caller, first: Flow, signal: AbortSignal): AsyncGenerator<Flow> {
  const path = `/connect/flows/${first.id}`;
  yield first;
  for (let last = first; !hasEnded(last); ) {
    for (const read of [streamed, polled]) {
      try {
        for await (const flow of read(caller, path, { last, signal })) {
          if (flow.version <= last.version) continue;
          last = flow;
          yield flow;
        }
      } catch (error) {
        if (signal.aborted || !isPassing(error)) throw error;
      }
      if (hasEnded(last)) return;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** A connection that breaks, or a service that restarts; what is refused stays refused. */
function isPassing(error: unknown): boolean {
  return !(error instanceof AuthError) || /^(off|ser|rate)/.test(error.code);
}

interface From {
  readonly last: Flow;
  readonly signal: AbortSignal;
}

async function* polled(caller: Caller, path: string, { signal }: From): AsyncGenerator<Flow> {
  yield await call<Flow>(caller, path, { signal });
}

/** Reads `text/event-stream` (HTML, "Server-sent events") by `fetch`: `EventSource` sends no `Authorization`. */
async function* streamed(caller: Caller, path: string, { last, signal }: From): AsyncGenerator<Flow> {
  const { body } = await send(caller, `${path}/events`, {
    headers: { 'last-event-id': String(last.version) },
    signal: AbortSignal.any([signal, AbortSignal.timeout(STREAM_MS)]),
  });
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const events = (text + part.value).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = /^data: ?(.*)$/m.exec(event)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
}
