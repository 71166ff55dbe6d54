import { connect, createServer, type Socket } from 'node:net';
import type { TestDatabase } from './database.ts';
import { listen } from './listen.ts';

/**
 * When a connection is cut: before the server sees a statement, while it carries it out, or afterwards and before its response
 * passes.
 */
export type Moment = 'before' | 'during' | 'after';

export interface Cut {
  /** Of the statement as it goes over the wire. */
  readonly statement: RegExp;
  readonly moment: Moment;
  /** Matching statements that pass first. Default 0. */
  readonly skip?: number;
}

export interface DatabaseRelay extends AsyncDisposable {
  /** The same database, reached through the relay. */
  readonly database: TestDatabase;
  /** Ends every connection and refuses new ones, as a database that was stopped does. */
  cut(): void;
  /** Nothing passes any more and no connection ends, as when a network drops packets. */
  freeze(): void;
  restore(): void;
  /**
   * Cuts the connection that sends such a statement, once; all others live, and new ones are let through.
   *
   * @returns when it has been cut
   */
  cutAt(cut: Cut): Promise<void>;
  /** Whether a cut that was asked for has not happened yet; it will not any more. */
  cancelCut(): boolean;
  /** New connections lead to another server. */
  leadTo(database: Pick<TestDatabase, 'url'>): void;
}

/** The response to `COMMIT`: the one statement after which a client that loses it cannot know. */
export const COMMIT = /^Q.{4}commit;?\0/is;

/** A cable between an application and its database that a test can pull out. */
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

/** All connections of a relay, and what state they are in. */
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

/** Knows where the next connection is to be cut. */
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

  /** @returns when to cut, and what to call then; undefined: not at this statement */
  at(sent: Buffer): { readonly moment: Moment; readonly done: () => void } | undefined {
    const planned = this.#planned;
    if (planned === undefined || !planned.cut.statement.test(sent.toString('latin1'))) return undefined;
    planned.left -= 1;
    if (planned.left >= 0) return undefined;
    this.#planned = undefined;
    return { moment: planned.cut.moment, done: planned.done };
  }
}

/** Postgres documentation, "Message Formats": the server has carried out what it was sent and waits for more. */
function isReadyForQuery(chunk: Buffer): boolean {
  return chunk.length >= 6 && chunk.subarray(-6, -1).equals(READY_FOR_QUERY);
}

const READY_FOR_QUERY = Buffer.from([0x5a, 0, 0, 0, 5]);

export function dialDatabase({ url }: Pick<TestDatabase, 'url'>): Socket {
  const { hostname, port, searchParams } = new URL(url);
  const directory = searchParams.get('host');
  return directory === null ? connect({ host: hostname, port: Number(port) }) : connect(`${directory}/.s.PGSQL.5432`);
}
