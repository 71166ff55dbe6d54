import { expect } from 'chai';
import { canary, rememberSecret, sweep } from '../../support/canaries.ts';

/**
 * This test file. A found secret is reported with the file whose tests created it, because several suites may share a service.
 */
const file = 'test/core/support/canaries.test.ts';
const BASE64_ALIGNMENTS = ['', 'x', 'xx'];

describe('sweep', () => {
  const secret = canary('planted');
  const encoded: Readonly<Record<string, string>> = {
    plain: `before ${secret} after`,
    hex: Buffer.from(`..${secret}..`).toString('hex'),
    'URL-encoded': `https://host/?leak=${encodeURIComponent(secret)}&x=1`,
    'JSON-escaped': JSON.stringify({ secret }).replaceAll('/', '\\/'),
  };

  for (const [form, text] of Object.entries(encoded)) {
    it(`finds a secret ${form}`, () => {
      expect(sweep({ log: text })).to.deep.include({ place: 'log', secret: 'planted', form, file });
    });
  }

  for (const before of BASE64_ALIGNMENTS) {
    it(`finds a secret inside base64 and base64url after ${before.length} bytes`, () => {
      const bytes = Buffer.from(`${before}${secret}:tail`);
      expect(sweep({ dump: bytes.toString('base64'), header: bytes.toString('base64url') })).to.have.lengthOf(2);
    });
  }

  it('finds a secret whose quotes and backslashes JSON escapes', () => {
    rememberSecret('quoted', 'a"quoted\\secret-of-some-length');
    expect(sweep({ log: JSON.stringify({ v: 'a"quoted\\secret-of-some-length' }) })).to.deep.equal([
      { place: 'log', secret: 'quoted', form: 'JSON-escaped', file },
    ]);
  });

  it('names the entry of a list and never the value', () => {
    const hits = sweep({ bodies: ['clean', secret] });
    expect(hits).to.deep.equal([{ place: 'bodies[1]', secret: 'planted', form: 'plain', file }]);
    expect(JSON.stringify(hits)).not.to.include(secret);
  });

  it('finds nothing in a clean text of many megabytes, quickly', () => {
    const clean = Buffer.alloc(16 * 1024 * 1024, 'clean text without a secret. ');
    expect(sweep({ dump: clean })).to.deep.equal([]);
  });
});

describe('canary', () => {
  it('is 40 characters that a bearer token may hold, and new every time', () => {
    const made = new Set(Array.from({ length: 100 }, () => canary('one of many')));
    expect(made.size).to.equal(100);
    for (const value of made) expect(value).to.match(/^[A-Za-z0-9+/]{40}$/);
  });
});
