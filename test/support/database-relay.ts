import { connect, createServer, type Socket } from 'node:net';
import type { TestDatabase } from './database.ts';
import { listen } from './listen.ts';

export interface DatabaseRelay extends AsyncDisposable {
  /** The same database, reached through the relay. */
  readonly database: TestDatabase;
  /** Ends every connection and refuses new ones, as a database that was stopped does. */
  cut(): void;
  /** Nothing passes any more and no connection ends, as when a network drops packets. */
  freeze(): void;
  mend(): void;
}

/** A cable between an application and its database that a test can pull out. */
export async function relayTo(database: TestDatabase): Promise<DatabaseRelay> {
  const target = new URL(database.url);
  const folder = target.searchParams.get('host');
  const address = folder === null ? { host: target.hostname, port: Number(target.port) } : { path: `${folder}/.s.PGSQL.5432` };
  const open = new Set<Socket>();
  const unanswered = new Set<Socket>();
  let isCut = false;
  let isFrozen = false;
  const join = (near: Socket) => {
    const far = connect(address);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  };
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    if (!isFrozen) return join(near);
    unanswered.add(near.on('error', () => undefined).on('close', () => unanswered.delete(near)));
  });
  const cut = () => {
    isCut = true;
    for (const socket of [...open, ...unanswered]) socket.destroy();
  };
  const port = await listen(server);
  const user = target.searchParams.get('user') ?? target.username;
  return {
    database: { ...database, url: `postgres://${user}@127.0.0.1:${port}${target.pathname}` },
    cut,
    freeze: () => {
      isFrozen = true;
      for (const socket of open) socket.pause();
    },
    mend: () => {
      isCut = false;
      isFrozen = false;
      for (const socket of open) socket.resume();
      for (const socket of unanswered) join(socket);
      unanswered.clear();
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
