import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { ClientSockets } from '../../../../core/api/connect/client-sockets.ts';
import type { ClientChannels } from '../../../../core/connect/flows/client-channels.ts';

/** A duration longer than any test, so that an age or interval of this length is never reached. */
const NEVER_MS = 600_000;

describe('the socket of an existing frontend', () => {
  /**
   * Opens a WebSocket of a frontend that was written for another product's API, which svc serves, too.
   *
   * @returns the close code and the number of pings that the client got, once its channel is disposed of
   */
  async function serve(options: { maxAgeMs: number; pingMs: number }, client: { readonly autoPong: boolean }) {
    const left = Promise.withResolvers<void>();
    const channels = { open: () => ({ id: 'an ID', [Symbol.dispose]: left.resolve }) };
    using sockets = new ClientSockets(channels as unknown as ClientChannels, options);
    const server = createServer();
    server.on('upgrade', (request, socket, head) => void sockets.open({ request, socket, head, address: '127.0.0.1' }));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = new WebSocket(`ws://127.0.0.1:${port}/`, client);
    let pings = 0;
    socket.on('ping', () => {
      pings += 1;
      if (client.autoPong && pings === 3) socket.close();
    });
    await once(socket, 'message');
    const [code] = await once(socket, 'close');
    await left.promise;
    server.close();
    return { code, pings };
  }

  it('is closed at its maximum age, when no user can still be at the provider', async () => {
    const seen = await serve({ maxAgeMs: 20, pingMs: NEVER_MS }, { autoPong: true });
    expect(seen).to.deep.equal({ code: 1001, pings: 0 });
  });

  it('stays open for as long as its client responds to pings', async () => {
    const seen = await serve({ maxAgeMs: NEVER_MS, pingMs: 500 }, { autoPong: true });
    expect(seen).to.deep.equal({ code: 1005, pings: 3 });
  });

  it('is cut when its client has not responded to a ping by the next one', async () => {
    const seen = await serve({ maxAgeMs: NEVER_MS, pingMs: 500 }, { autoPong: false });
    expect(seen).to.deep.equal({ code: 1006, pings: 1 });
  });
});
