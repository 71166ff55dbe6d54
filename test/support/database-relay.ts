import { connect, createServer, type Socket } from 'node:net';
import type { TestDatabase } from './database.ts';
import { listen } from './listen.ts';

export interface DatabaseRelay extends AsyncDisposable {
  /** The same database, reached through the relay. */
  readonly database: TestDatabase;
  /** Ends every connection and refuses new ones, as a database that was stopped does. */
  cut(): void;
  mend(): void;
}

/** A cable between an application and its database that a test can pull out. */
export async function relayTo(database: TestDatabase): Promise<DatabaseRelay> {
  const target = new URL(database.url);
  const folder = target.searchParams.get('host');
  const address = folder === null ? { host: target.hostname, port: Number(target.port) } : { path: `${folder}/.s.PGSQL.5432` };
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
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
  });
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  const port = await listen(server);
  const user = target.searchParams.get('user') ?? target.username;
  return {
    database: { ...database, url: `postgres://${user}@127.0.0.1:${port}${target.pathname}` },
    cut,
    mend: () => {
      isCut = false;
    },
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
