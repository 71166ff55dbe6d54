import { connect, createServer, type Socket } from 'node:net';
import type { TestDatabase } from './database.ts';
import { listen } from './listen.ts';

/**
 * The moment at which a database connection is cut: before the server sees a statement, while it executes the statement, or after
 * that but before the client receives the response.
 */
export type Moment = 'before' | 'during' | 'after';

export interface Cut {
  /** Matches the statement as it is sent over the wire. */
  readonly statement: RegExp;
  readonly moment: Moment;
  /** The number of matching statements that pass unharmed before the cut; default: 0. */
  readonly skip?: number;
}

export interface DatabaseRelay extends AsyncDisposable {
  /** The same database, reached through the relay. */
  readonly database: TestDatabase;
  /** Ends every database connection and refuses new ones, as if the database had been stopped. */
  cut(): void;
  /** Stops all traffic without ending a database connection, as if the network dropped all packets. */
  freeze(): void;
  restore(): void;
  /**
   * Cuts the next database connection that sends such a statement. All others stay open, and new ones are accepted.
   *
   * @returns a promise that resolves when the connection has been cut
   */
  cutAt(cut: Cut): Promise<void>;
  /** Cancels the planned cut. @returns false if there was none, or if it had already happened */
  cancelCut(): boolean;
  /** Makes the relay forward new database connections to another database server. */
  leadTo(database: Pick<TestDatabase, 'url'>): void;
}

/** Matches the statement `COMMIT`. A client that does not get the response to it cannot know whether it has committed. */
export const COMMIT = /^Q.{4}commit;?\0/is;

/** Starts a relay between the service and its database. A test can cut it like a cable. */
export async function relayTo(database: TestDatabase): Promise<DatabaseRelay> {
  const cable = new Cable(() => dialDatabase(database));
  const server = createServer((near) => cable.accept(near));
  const port = await listen(server);
  const target = new URL(database.url);
  const user = target.searchParams.get('user') ?? target.username;
  return {
    database: { ...database, url: `postgres://${user}@127.0.0.1:${port}${target.pathname}` },
    cut: () => cable.cut(),
    freeze: () => cable.freeze(),
    restore: () => cable.restore(),
    cutAt: (wanted) => cable.scissors.plan(wanted),
    cancelCut: () => cable.scissors.cancel(),
    leadTo: (other) => {
      cable.dial = () => dialDatabase(other);
    },
    async [Symbol.asyncDispose]() {
      cable.cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** All database connections through a relay, which are cut, frozen and restored together. */
export class Cable {
  dial: () => Socket;
  readonly scissors = new Scissors();
  readonly #open = new Set<Socket>();
  readonly #unanswered = new Set<Socket>();
  #isCut = false;
  #isFrozen = false;

  constructor(dial: () => Socket) {
    this.dial = dial;
  }

  accept(near: Socket): void {
    if (this.#isCut) near.destroy();
    else if (!this.#isFrozen) this.#join(near);
    else this.#unanswered.add(near.on('error', () => undefined).on('close', () => this.#unanswered.delete(near)));
  }

  cut(): void {
    this.#isCut = true;
    for (const socket of [...this.#open, ...this.#unanswered]) socket.destroy();
  }

  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#open) socket.pause();
  }

  restore(): void {
    this.#isCut = false;
    this.#isFrozen = false;
    for (const socket of this.#open) socket.resume();
    for (const socket of this.#unanswered) this.#join(socket);
    this.#unanswered.clear();
  }

  #join(near: Socket): void {
    const far = this.dial();
    let afterAnswer: (() => void) | undefined;
    const end = (done: () => void) => {
      near.destroy();
      far.destroy();
      done();
    };
    this.#keep(near, far);
    this.#keep(far, near);
    near.on('data', (chunk) => {
      const chosen = this.scissors.at(chunk);
      if (chosen?.moment === 'before') return end(chosen.done);
      if (chosen?.moment === 'after') afterAnswer = chosen.done;
      if (chosen?.moment === 'during') far.write(chunk, () => end(chosen.done));
      else this.#forward(chunk, near, far);
    });
    far.on('data', (chunk) => {
      if (afterAnswer === undefined) this.#forward(chunk, far, near);
      else if (isReadyForQuery(chunk)) end(afterAnswer);
    });
  }

  #keep(socket: Socket, other: Socket): void {
    this.#open.add(socket);
    socket
      .on('error', () => undefined)
      .on('close', () => {
        this.#open.delete(socket);
        other.destroy();
      });
  }

  #forward(chunk: Buffer, from: Socket, to: Socket): void {
    if (to.write(chunk)) return;
    from.pause();
    to.once('drain', () => {
      if (!this.#isFrozen) from.resume();
    });
  }
}

/** Decides, by the statements that pass, when to make the planned cut of a single database connection. */
class Scissors {
  #planned: { readonly cut: Cut; left: number; readonly done: () => void } | undefined;

  plan(cut: Cut): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#planned = { cut, left: cut.skip ?? 0, done: resolve };
    return promise;
  }

  cancel(): boolean {
    const wasPlanned = this.#planned !== undefined;
    this.#planned = undefined;
    return wasPlanned;
  }

  /** @returns when to cut, and the function to call after that; undefined if this statement is not the one to cut at */
  at(sent: Buffer): { readonly moment: Moment; readonly done: () => void } | undefined {
    const planned = this.#planned;
    if (planned === undefined || !planned.cut.statement.test(sent.toString('latin1'))) return undefined;
    planned.left -= 1;
    if (planned.left >= 0) return undefined;
    this.#planned = undefined;
    return { moment: planned.cut.moment, done: planned.done };
  }
}

/** Tells whether the server has executed all statements so far (`ReadyForQuery`; Postgres documentation, "Message Formats"). */
function isReadyForQuery(chunk: Buffer): boolean {
  return chunk.length >= 6 && chunk.subarray(-6, -1).equals(READY_FOR_QUERY);
}

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);

export function dialDatabase({ url }: Pick<TestDatabase, 'url'>): Socket {
  const { hostname, port, searchParams } = new URL(url);
  const directory = searchParams.get('host');
  return directory === null ? connect({ host: hostname, port: Number(port) }) : connect(`${directory}/.s.PGSQL.5432`);
}
