import { createServer, type Socket } from 'node:net';
import { listen } from './listen.ts';
import { refusedTls } from './tls-refusal.ts';

// The message types and type IDs are those of the Postgres documentation, "Message Formats".
const READY = message('Z', Buffer.from('I'));
const AUTHENTICATED = message('R', int32(0));
const INT4 = 23;
const TEXT = 25;

/**
 * Starts a server that claims to be a version of Postgres too old for distributions to offer. It answers each query with this
 * version, as text for `version()` and otherwise as a number.
 */
export async function startOldPostgres(version: number): Promise<AsyncDisposable & { readonly url: string }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    let isGreeted = false;
    socket
      .on('error', () => undefined)
      .on('data', (data) => {
        if (refusedTls(socket, data)) return;
        if (!isGreeted) socket.write(Buffer.concat([AUTHENTICATED, READY]));
        else if (data[0] === 'Q'.charCodeAt(0))
          socket.write(row(data.includes('version()') ? `PostgreSQL ${version / 10_000}` : String(version)));
        isGreeted = true;
      });
  });
  const port = await listen(server);
  return {
    url: `postgres://svc@127.0.0.1:${port}/svc`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function row(value: string): Buffer {
  const text = Buffer.from(value);
  const type = /^\d+$/.test(value) ? INT4 : TEXT;
  const field = Buffer.concat([Buffer.from('version\0'), int32(0), int16(0), int32(type), int16(-1), int32(-1), int16(0)]);
  return Buffer.concat([
    message('T', Buffer.concat([int16(1), field])),
    message('D', Buffer.concat([int16(1), int32(text.length), text])),
    message('C', Buffer.from('SELECT 1\0')),
    READY,
  ]);
}

function message(type: string, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(content.length + 4), content]);
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}
