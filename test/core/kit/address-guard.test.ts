import { expect } from 'chai';
import { isPublicAddress, parseAllowList } from '../../../core/kit/address-guard.ts';
import { words } from '../../support/words.ts';

/** The first and last addresses of each block, and the public neighbours outside it. */
const BLOCKS: Readonly<Record<string, { readonly inside: readonly string[]; readonly outside: readonly string[] }>> = {
  'this network': { inside: ['0.0.0.0', '0.255.255.255'], outside: ['1.0.0.0'] },
  'private 10/8': { inside: ['10.0.0.0', '10.255.255.255'], outside: ['9.255.255.255', '11.0.0.0'] },
  'carrier-grade NAT': {
    inside: ['100.64.0.0', '100.100.100.200', '100.127.255.255'],
    outside: ['100.63.255.255', '100.128.0.0'],
  },
  loopback: { inside: ['127.0.0.0', '127.255.255.255', '::1'], outside: ['126.255.255.255', '128.0.0.0'] },
  'a platform host': { inside: ['168.63.129.16'], outside: ['168.63.129.15', '168.63.129.17'] },
  'link-local': {
    inside: ['169.254.0.0', '169.254.169.254', '169.254.255.255', 'fe80::1', 'febf::1'],
    outside: ['169.253.255.255', '169.255.0.0'],
  },
  'private 172.16/12': { inside: ['172.16.0.0', '172.31.255.255'], outside: ['172.15.255.255', '172.32.0.0'] },
  'protocol assignments': { inside: ['192.0.0.0', '192.0.0.255', '2001:1ff:ffff::1'], outside: ['192.0.1.0', '2001:200::1'] },
  documentation: {
    inside: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '2001:db8:ffff::1', '3fff::1', '3fff:fff::1'],
    outside: ['192.0.3.0', '198.51.101.0', '203.0.114.0', '2001:db7::1', '2001:db9::1', '3fff:1000::1'],
  },
  '6to4': { inside: ['192.88.99.1', '2002::1', '2002:7f00:1::1', '2002:ffff::1'], outside: ['192.88.98.255', '2003::1'] },
  'private 192.168/16': { inside: ['192.168.0.0', '192.168.255.255'], outside: ['192.167.255.255', '192.169.0.0'] },
  benchmarks: { inside: ['198.18.0.0', '198.19.255.255', '2001:2::1'], outside: ['198.17.255.255', '198.20.0.0'] },
  'multicast, reserved and broadcast': {
    inside: ['224.0.0.0', '239.255.255.255', '240.0.0.0', '255.255.255.255', 'ff00::1', 'ff02::1', 'ffff::1'],
    outside: ['223.255.255.255'],
  },
  'unique local and site local': { inside: ['fc00::1', 'fd00:ec2::254', 'fdff::1', 'fec0::1', 'feff::1'], outside: [] },
  Teredo: { inside: ['2001::1', '2001:0:ffff::1'], outside: ['2001:4860:4860::8888'] },
  'what is not handed out': {
    inside: ['::', '100::1', '1fff::1', '4000::1', '5f00::1', '8000::1'],
    outside: ['2000::1', '3ffe::1'],
  },
  'what carries an inner IPv4 address': {
    inside: ['::127.0.0.1', '::ffff:127.0.0.1', '::ffff:a00:1', '0:0:0:0:0:FFFF:7F00:1', '::ffff:0:7f00:1', '64:ff9b::7f00:1'],
    outside: ['::ffff:8.8.8.8', '::FFFF:808:808'],
  },
  'translated public addresses': { inside: ['::8.8.8.8', '64:ff9b::8.8.8.8', '64:ff9b:1::808:808'], outside: [] },
  'what is no plain address': {
    inside: ['', 'localhost', '127.1', '0177.0.0.1', '2130706433', '8.8.8.8.', ' 8.8.8.8', '[2600::1]'],
    outside: [],
  },
  zones: { inside: ['2600::1%eth0', '::ffff:8.8.8.8%eth0', 'fe80::1%1'], outside: ['2600::1'] },
};

describe('the addresses that may be dialled', () => {
  for (const [name, { inside, outside }] of Object.entries(BLOCKS)) {
    it(`leave out ${name}`, () => {
      expect(inside.filter(isPublicAddress)).to.deep.equal([]);
      expect(outside.filter((address) => !isPublicAddress(address))).to.deep.equal([]);
    });
  }
});

/** For each entry of the allowlist, hosts that it opens at port 443, and hosts that stay blocked. */
const ENTRIES: Readonly<Record<string, { readonly opens: readonly string[]; readonly shuts: readonly string[] }>> = {
  'tracker.internal': { opens: ['tracker.internal'], shuts: ['x.tracker.internal', 'internal'] },
  ' Tracker.Internal. ': { opens: ['tracker.internal'], shuts: [] },
  'tracker.internal:443': { opens: ['tracker.internal'], shuts: [] },
  'tracker.internal:8080': { opens: [], shuts: ['tracker.internal'] },
  '127.0.0.1': { opens: ['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1'], shuts: ['127.0.0.2', 'localhost', '::1'] },
  '0x7f.1:443': { opens: ['127.0.0.1'], shuts: [] },
  '127.0.0.1:80': { opens: [], shuts: ['127.0.0.1'] },
  '10.0.0.0/8': { opens: ['10.255.0.1', '::ffff:10.0.0.1'], shuts: ['11.0.0.1', '10.0.0.1.example', ''] },
  'fd00::/8': { opens: ['fd12::1'], shuts: ['fc00::1', 'fd12::1%eth0'] },
  '::1': { opens: ['::1', '0:0:0:0:0:0:0:1'], shuts: ['::2', '127.0.0.1'] },
  '[FD00:0::1]:443': { opens: ['fd00::1'], shuts: ['fd00::2'] },
  '[fd00::1]:80': { opens: [], shuts: ['fd00::1'] },
};

const WRONG_ENTRIES = [
  ...words`
    http://a a/8 *.internal user@host . a%62 a?b a#b a\b 10.0.0.0/33 10.0.0.0/ 10.0.0.0/8/8 10.0.0.0/-1 10.0/8 fd00::/129
    fe80::%eth0/64 a:0 a:65536 a:b a: a:80:80 [::1 [::1]x [zz] fe80::1%eth0 1.2.3.4.5 256.1.1.1
  `,
  'a b',
];

describe('the allow list', () => {
  for (const [entry, { opens, shuts }] of Object.entries(ENTRIES)) {
    it(`reads ${JSON.stringify(entry)}`, () => {
      const list = parseAllowList([entry]);
      expect(opens.filter((host) => !list.opens(host, 443))).to.deep.equal([]);
      expect(shuts.filter((host) => list.opens(host, 443))).to.deep.equal([]);
    });
  }

  it('opens nothing when it is empty', () => {
    expect(parseAllowList(['', ' ']).opens('', 443)).to.equal(false);
  });

  for (const entry of WRONG_ENTRIES) {
    it(`refuses the entry ${JSON.stringify(entry)}`, () => {
      expect(() => parseAllowList([entry])).to.throw(RangeError, JSON.stringify(entry));
    });
  }

  it('names every wrong entry at once', () => {
    expect(() => parseAllowList(['good', 'a b', 'c/d'])).to.throw('"a b", "c/d"');
  });
});
