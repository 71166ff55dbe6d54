import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { HeldBody } from '../../../core/proxy/message.ts';
import { Upload } from '../../../core/proxy/request-body.ts';
import { serve } from '../../support/loopback-server.ts';

const IDLE_MS = 20;

/**
 * Passes `use` the upload of a request whose body never arrives completely. With `respond`, the server responds immediately,
 * otherwise never; `leave` makes the sender disconnect.
 */
async function cutShort(respond: boolean, use: (upload: Upload, leave: () => void) => Promise<void>): Promise<void> {
  const arrived = Promise.withResolvers<IncomingMessage>();
  await using server = await serve((request, response) => {
    arrived.resolve(request);
    if (respond) response.end('early');
  });
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1').on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nx');
  const upload = new Upload(await arrived.promise, { length: 100, idleMs: IDLE_MS, room: undefined });
  await use(upload, () => socket.destroy());
  socket.destroy();
}

/** Waits until an upload closes. `events.once` would reject on an error of the upload. */
function closed(upload: Upload): Promise<void> {
  return new Promise((resolve) => upload.once('close', () => resolve()));
}

describe('an upload that nobody reads', () => {
  it('ends without an unhandled error when it stops arriving', () =>
    cutShort(false, async (upload) => {
      await closed(upload);
      expect(upload.errored).to.have.property('code', 'request_timeout');
    }));

  it('ends without an unhandled error when it stops arriving after the response', () =>
    cutShort(true, async (upload) => {
      await closed(upload);
      expect(upload.errored).to.be.instanceOf(Error);
    }));

  it('ends without an unhandled error when the caller leaves', () =>
    cutShort(false, async (upload, leave) => {
      leave();
      await closed(upload);
      expect(upload.errored).to.be.instanceOf(Error);
      expect(await upload.replay()).to.equal(undefined);
    }));
});

describe('an upload that is read', () => {
  it('fails for its reader when it is cut off', () =>
    cutShort(false, async (upload) => {
      const read = await upload.toArray().catch((error: unknown) => error);
      expect(read).to.have.property('code', 'request_timeout');
    }));
});

describe('the copy that is kept of an upload', () => {
  const roomFor = (bytes: number) => {
    const asked: number[] = [];
    const tryReserve = (total: number) => asked.push(total) > 0 && total <= bytes;
    return {
      asked,
      room: { tryReserve, reserve: () => undefined, reserveMore: () => undefined },
    };
  };
  /** Yields two pieces, the second only after the first has been read. */
  async function* pieces(text: string) {
    yield Buffer.from(text);
    await new Promise(setImmediate);
    yield Buffer.from(text);
  }
  const uploadOf = (text: string, room: HeldBody) => new Upload(Readable.from(pieces(text)), { length: 0, idleMs: 1_000, room });

  it('counts against the memory for bodies, and can be sent again', async () => {
    const { asked, room } = roomFor(100);
    const upload = uploadOf('four', room);
    upload.resume();
    expect(String(await upload.replay())).to.equal('fourfour');
    expect(asked).to.deep.equal([4, 8]);
  });

  it('is given up when there is no room, while the upload itself goes on', async () => {
    const { room } = roomFor(4);
    const upload = uploadOf('four', room);
    const passed = upload.toArray();
    expect(await upload.replay()).to.equal(undefined);
    expect(Buffer.concat(await passed).toString()).to.equal('fourfour');
    expect(await upload.whole().catch(({ code }) => code)).to.equal('overloaded');
  });

  it('is not given up before the upload is read, because the whole body may be requested', async () => {
    const { room } = roomFor(0);
    const upload = uploadOf('four', room);
    expect(String(await upload.whole())).to.equal('fourfour');
  });
});
