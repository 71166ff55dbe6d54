import { expect } from 'chai';
import { liveEvents } from '../../ui/kit/live-events.ts';

const encoder = new TextEncoder();

/** @param silence resolves when the stream has been silent for too long */
async function eventsOf(chunks: readonly string[], silence = new Promise<void>(() => {})): Promise<readonly string[]> {
  const events: string[] = [];
  const open = async (signal: AbortSignal) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
        signal.addEventListener('abort', () => controller.error(new Error('aborted')));
        if (chunks.at(-1)?.endsWith('end\n\n')) controller.close();
      },
    });
  for await (const { id, data } of liveEvents({ open, pause: () => silence, signal: new AbortController().signal }))
    events.push(`${id}:${data}`);
  return events;
}

describe('the live events of a page', () => {
  it('are those of the opened stream, without its comments, until it ends', async () => {
    expect(await eventsOf(['id: 1\ndata: a\n\n', ': still here\n\n', 'id: 2\ndata: end\n\n'])).to.deep.equal(['1:a', '2:end']);
  });

  it('end with an error when nothing arrives for too long', async () => {
    expect(await eventsOf([], Promise.resolve()).catch(({ message }: Error) => message)).to.equal('aborted');
  });
});
