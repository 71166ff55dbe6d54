/** One event of a stream. */
export interface StreamEvent {
  /** The event's ID, for `Last-Event-ID`; empty if it has none. */
  readonly id: string;
  /** The event's data; empty if it was a comment. */
  readonly data: string;
}

/** Reads a stream of `text/event-stream` (HTML, "Server-sent events"), comments included. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      // A carriage return at the end of a chunk may be the first half of a line break, so it waits for the next chunk.
      const blocks = rest.replace(/\r\n/g, '\n').split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield { id: fieldOf(block, 'id'), data: fieldOf(block, 'data') };
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}

function fieldOf(block: string, name: 'id' | 'data'): string {
  return block
    .split('\n')
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
    .join('\n');
}
