import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import { createClientAddress } from '../../../core/server/client-address.ts';

const TRUSTED = ['10.0.0.0/8', '192.0.2.7', '2001:db8::/32'];

const SILENT = { warn: () => undefined };

const CASES: readonly (readonly [string, string, string | undefined, string])[] = [
  ['believes nobody but a trusted proxy', '203.0.113.5', '198.51.100.1', '203.0.113.5'],
  ['takes what the trusted proxy wrote', '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  ['takes the right-most address that is not trusted', '10.1.2.3', '1.1.1.1, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
  ['takes the address of the proxy when the proxy forwards none', '10.1.2.3', undefined, '10.1.2.3'],
  ['takes the last proxy before text that is not an address', '10.1.2.3', '198.51.100.1, unknown, 10.0.0.9', '10.0.0.9'],
  ['takes the first proxy when all are trusted', '10.1.2.3', '10.0.0.8, 10.0.0.9', '10.0.0.8'],
  ['recognizes an IPv4 address in its IPv6 form', '::ffff:10.1.2.3', '::ffff:198.51.100.1', '198.51.100.1'],
  ['supports IPv6 ranges', '2001:db8::1', '2001:db9::1', '2001:db9::1'],
];

describe('client address', () => {
  for (const [what, remote, forwarded, expected] of CASES) {
    it(what, () => {
      expect(createClientAddress(TRUSTED, SILENT)(requestFrom(remote, forwarded))).to.equal(expected);
    });
  }

  it('is the address of the socket when nobody is trusted', () => {
    expect(createClientAddress([], SILENT)(requestFrom('10.1.2.3', '198.51.100.1'))).to.equal('10.1.2.3');
  });

  for (const trusted of [[], TRUSTED]) {
    it(`warns once of a proxy that is not trusted, with ${trusted.length} that are`, () => {
      const warnings: unknown[] = [];
      const addressOf = createClientAddress(trusted, { warn: (...warning) => void warnings.push(warning) });
      addressOf(requestFrom('203.0.113.5', undefined));
      if (trusted.length > 0) addressOf(requestFrom('10.1.2.3', '198.51.100.1'));
      expect(warnings).to.deep.equal([]);
      for (const proxy of ['203.0.113.5', '203.0.113.6']) addressOf(requestFrom(proxy, '198.51.100.1'));
      expect(warnings).to.have.length(1);
      expect(JSON.stringify(warnings)).to.contain('SVC_TRUSTED_PROXIES').and.contain('203.0.113.5');
    });
  }
});

function requestFrom(remoteAddress: string, forwarded: string | undefined): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return request;
}
