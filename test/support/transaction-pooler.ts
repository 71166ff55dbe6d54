import { createServer, type Socket } from 'node:net';
import type { TestDatabase } from './database.ts';
import { dialDatabase } from './database-relay.ts';
import { listen } from './listen.ts';
import { refusedTls } from './tls-refusal.ts';

// A message has a type of one byte, a length that counts itself but not the type, and the content (Postgres documentation,
// "Message Formats").
const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;
const PROTOCOL_3 = 196_608;
const TERMINATE = 'X'.charCodeAt(0);
const READY_FOR_QUERY = 'Z'.charCodeAt(0);
const NOTIFICATION = 'A'.charCodeAt(0);
const IDLE = 'I'.charCodeAt(0);
/** The process ID that the pooler shows to clients. No real process has it. */
const OWN_PID = 2_000_000_000;

export interface TransactionPooler extends AsyncDisposable {
  /** The same database, reached through the pooler. */
  readonly database: TestDatabase;
  /**
   * Ends the server sessions that no client currently has, as poolers do with old sessions. Later statements get new sessions.
   */
  recycle(): void;
}

/**
 * Starts a pooler in transaction mode: a client has a server session from its first statement until its transaction ends; then
 * the session is free for another client. Like other poolers, this one shows clients a process ID that is not the server's, and
 * passes each notification to the client that has the session at that moment. Of several free sessions, a client gets the one
 * that was opened first.
 */
export async function poolTransactions(database: TestDatabase, size: number): Promise<TransactionPooler> {
  const pool = new Pool(database, size);
  const server = createServer((socket) => pool.accept(socket));
  const port = await listen(server);
  return {
    database: { ...database, url: `postgres://${pool.user}@127.0.0.1:${port}/${pool.name}` },
    recycle: () => pool.recycle(),
    async [Symbol.asyncDispose]() {
      pool.end();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

interface ClientSide {
  readonly socket: Socket;
  session: ServerSession | undefined;
  /** The data that the client sent while no session was free. */
  readonly waiting: Buffer[];
}

class Pool {
  readonly user: string;
  readonly name: string;
  readonly #database: TestDatabase;
  readonly #size: number;
  readonly #clients = new Set<ClientSide>();
  #sessions: ServerSession[] = [];

  constructor(database: TestDatabase, size: number) {
    const url = new URL(database.url);
    this.user = url.searchParams.get('user') ?? url.username;
    this.name = url.pathname.slice(1);
    this.#database = database;
    this.#size = size;
  }

  accept(socket: Socket): void {
    const client: ClientSide = { socket, session: undefined, waiting: [] };
    this.#clients.add(client);
    socket.on('error', () => undefined).on('close', () => this.#clients.delete(client));
    const greet = (data: Buffer) => {
      if (refusedTls(socket, data)) return void socket.once('data', greet);
      socket.write(greeting());
      socket.on('data', (chunk) => this.#fromClient(client, chunk));
    };
    socket.once('data', greet);
  }

  recycle(): void {
    for (const session of this.#sessions.filter(({ client }) => client === undefined)) session.end();
    this.#sessions = this.#sessions.filter(({ client }) => client !== undefined);
  }

  end(): void {
    for (const { socket } of this.#clients) socket.destroy();
    for (const session of this.#sessions) session.end();
  }

  #fromClient(client: ClientSide, chunk: Buffer): void {
    if (chunk[0] === TERMINATE) return void client.socket.end();
    client.session ??= this.#take(client);
    if (client.session === undefined) client.waiting.push(chunk);
    else client.session.send(chunk);
  }

  #take(client: ClientSide): ServerSession | undefined {
    const session = this.#sessions.find((one) => one.client === undefined) ?? this.#open();
    if (session !== undefined) session.client = client;
    return session;
  }

  #open(): ServerSession | undefined {
    if (this.#sessions.length >= this.#size) return undefined;
    const session = new ServerSession(this.#database, startup(this.user, this.name), () => this.#serveNext());
    this.#sessions.push(session);
    return session;
  }

  #serveNext(): void {
    for (const client of this.#clients) {
      if (client.waiting.length === 0) continue;
      client.session = this.#take(client);
      for (const chunk of client.waiting.splice(0)) client.session?.send(chunk);
      return;
    }
  }
}

/** A session of the database server, and the client that currently has it. */
class ServerSession {
  client: ClientSide | undefined;
  readonly #socket: Socket;
  readonly #onFree: () => void;
  /** Statements that were sent before the session had begun; undefined once it has. */
  #early: Buffer[] | undefined = [];
  #rest = Buffer.alloc(0);

  constructor(database: TestDatabase, hello: Buffer, onFree: () => void) {
    this.#onFree = onFree;
    this.#socket = dialDatabase(database).on('error', () => undefined);
    this.#socket.on('data', (chunk) => this.#read(chunk));
    this.#socket.write(hello);
  }

  send(chunk: Buffer): void {
    if (this.#early === undefined) this.#socket.write(chunk);
    else this.#early.push(chunk);
  }

  end(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#rest.length >= TYPE_BYTES + LENGTH_BYTES) {
      const end = TYPE_BYTES + this.#rest.readUInt32BE(TYPE_BYTES);
      if (this.#rest.length < end) return;
      this.#pass(this.#rest.subarray(0, end));
      this.#rest = this.#rest.subarray(end);
    }
  }

  #pass(message: Buffer): void {
    if (this.#early !== undefined) {
      if (message[0] === READY_FOR_QUERY) this.#begin(this.#early);
      return;
    }
    const { client } = this;
    // A notification is dropped if no client has the session at that moment.
    if (client === undefined && message[0] === NOTIFICATION) return;
    client?.socket.write(message);
    if (message[0] !== READY_FOR_QUERY || message.at(-1) !== IDLE) return;
    if (client !== undefined) client.session = undefined;
    this.client = undefined;
    this.#onFree();
  }

  #begin(early: readonly Buffer[]): void {
    this.#early = undefined;
    for (const chunk of early) this.#socket.write(chunk);
  }
}

function startup(user: string, name: string): Buffer {
  const fields = Buffer.from(`user\0${user}\0database\0${name}\0\0`);
  const head = Buffer.alloc(2 * LENGTH_BYTES);
  head.writeUInt32BE(head.length + fields.length);
  head.writeUInt32BE(PROTOCOL_3, LENGTH_BYTES);
  return Buffer.concat([head, fields]);
}

/** Returns the messages AuthenticationOk, BackendKeyData and ReadyForQuery. */
function greeting(): Buffer {
  const key = Buffer.alloc(2 * LENGTH_BYTES);
  key.writeUInt32BE(OWN_PID);
  return Buffer.concat([message('R', Buffer.alloc(LENGTH_BYTES)), message('K', key), message('Z', Buffer.from([IDLE]))]);
}

function message(type: string, content: Buffer): Buffer {
  const head = Buffer.alloc(TYPE_BYTES + LENGTH_BYTES);
  head.write(type, 'latin1');
  head.writeUInt32BE(LENGTH_BYTES + content.length, TYPE_BYTES);
  return Buffer.concat([head, content]);
}
