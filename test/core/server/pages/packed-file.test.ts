import { expect } from 'chai';
import { fileReply, pack } from '../../../../core/server/pages/packed-file.ts';

const FILE = pack('text/plain', 'a text, a text, a text, a text');
const ETAG = 'W/"one"';

describe('the encoding of a response', () => {
  for (const [accepted, encoding] of [
    [undefined, undefined],
    ['', undefined],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=1', 'gzip'],
    ['br;q=0.000, gzip ; q = 0', undefined],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['identity', undefined],
    ['brx, xgzip', undefined],
  ] as const)
    it(`for Accept-Encoding: ${JSON.stringify(accepted)} is ${encoding ?? 'none'}`, () => {
      expect(fileReply(FILE, { 'accept-encoding': accepted }, {}).headers?.['content-encoding']).to.equal(encoding);
    });
});

describe('a file that the browser may have cached', () => {
  for (const [known, status] of [
    [ETAG, 304],
    [`W/"two", ${ETAG}`, 304],
    [`W/"two",${ETAG}`, 304],
    ['W/"two"', undefined],
    ['W/"one', undefined],
    [undefined, undefined],
  ] as const)
    it(`for If-None-Match: ${known} is ${status === 304 ? 'not sent' : 'sent'}`, () => {
      const reply = fileReply(FILE, { 'if-none-match': known }, { etag: ETAG });
      expect([reply.status, reply.body]).to.deep.equal([status, status === 304 ? undefined : FILE.content]);
      expect(reply.headers).to.deep.equal({ etag: ETAG, vary: 'accept-encoding' });
    });

  it('is sent whole when it has no ETag', () => {
    expect(fileReply(FILE, { 'if-none-match': '' }, {}).body).to.equal(FILE.content);
  });
});
