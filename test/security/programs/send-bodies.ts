import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';

/** To be forked with `serialization: 'advanced'`. Says `ready`; once told what, it sends until it is told to stop. */

export interface SentBody {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

// Callers are elsewhere: what sending costs must not count.
setPriority(constants.priority.PRIORITY_LOW);

const agent = new Agent({ keepAlive: true });
let isOver = false;

process.on('message', (told: readonly SentBody[] | 'stop') => {
  if (told === 'stop') isOver = true;
  else void sendAll(told);
});
process.once('disconnect', () => process.exit());
process.send?.('ready');

/** Each when the one before was answered. Tells the statuses, one list for each body. */
async function sendAll(bodies: readonly SentBody[]): Promise<void> {
  const statuses: number[][] = bodies.map(() => []);
  while (!isOver) for (const [at, body] of bodies.entries()) statuses[at]?.push(await send(body));
  process.send?.(statuses);
}

/** As clients do: who is answered before all is sent leaves. */
function send({ url, headers, body }: SentBody): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const sending = request(url, { method: 'POST', agent, headers: { ...headers, 'content-length': body.length } });
  sending.on('error', () => resolve(0));
  sending.on('response', (answer) => {
    answer.resume().once('end', () => {
      if (!sending.writableFinished) sending.destroy();
      resolve(answer.statusCode ?? 0);
    });
  });
  sending.end(body);
  return promise;
}
