import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { expect } from 'chai';
import { KeyRing, KeyRingError, newKeyRingText, type Place, type Statement } from '../../../core/kit/key-ring.ts';

const PLACE: Place = { table: 'connections', column: 'credentials', environmentId: 1, rowId: 7 };
const PLAIN = '{"accessToken":"geheim ü 🔑"}';

describe('KeyRing', () => {
  const [old, current] = [keyText(32), keyText(32)];
  const ring = KeyRing.parse(`k2:${current}, k1:${old}`);

  it('encrypts with the first key and decrypts with every key', () => {
    const written = KeyRing.parse(`k1:${old}`).encrypt(PLAIN, PLACE);
    expect(ring.decrypt(written, PLACE)).to.equal(PLAIN);
    expect(ring.decrypt(ring.encrypt(PLAIN, PLACE), PLACE)).to.equal(PLAIN);
    expect(KeyRing.parse(`k2:${current}`).decrypt(ring.encrypt(PLAIN, PLACE), PLACE)).to.equal(PLAIN);
  });

  it('knows its keys by ID', () => {
    expect(ring.currentKeyId).to.equal('k2');
    expect(['k1', 'k2', 'k3'].map((id) => ring.has(id))).to.deep.equal([true, true, false]);
  });

  it('reads back the empty text and a long one', () => {
    for (const plain of ['', 'x'.repeat(100_000)]) expect(ring.decrypt(ring.encrypt(plain, PLACE), PLACE)).to.equal(plain);
  });

  it('writes the same value differently each time, and never in the clear', () => {
    const envelopes = Array.from({ length: 100 }, () => ring.encrypt(PLAIN, PLACE).toString('latin1'));
    expect(new Set(envelopes).size).to.equal(100);
    expect(envelopes.filter((envelope) => envelope.includes('accessToken'))).to.deep.equal([]);
  });

  for (const moved of [{ table: 'integrations' }, { column: 'metadata' }, { environmentId: 2 }, { rowId: 8 }]) {
    it(`refuses an envelope moved to another ${Object.keys(moved)[0]}`, () => {
      const envelope = ring.encrypt(PLAIN, PLACE);
      expect(() => ring.decrypt(envelope, { ...PLACE, ...moved }))
        .to.throw(KeyRingError)
        .with.property('code', 'unreadable_value');
    });
  }

  describe('of a row that is bound to another', () => {
    const bound = { ...PLACE, boundTo: 'integration 3' };

    it('decrypts only with the same binding', () => {
      const envelope = ring.encrypt(PLAIN, bound);
      expect(ring.decrypt(envelope, bound)).to.equal(PLAIN);
      expect(() => ring.decrypt(envelope, { ...PLACE, boundTo: 'integration 4' })).to.throw(KeyRingError);
      expect(() => ring.decrypt(envelope, PLACE)).to.throw(KeyRingError);
      expect(() => ring.decrypt(ring.encrypt(PLAIN, PLACE), bound)).to.throw(KeyRingError);
    });
  });

  describe('authenticates', () => {
    const STATEMENT: Statement = ['integrations', 1, 7, { b: '2', a: '1' }];
    const proof = ring.authenticate(STATEMENT);

    it('values, in any order of their members', () => {
      expect(ring.isAuthentic(proof, ['integrations', 1, 7, { a: '1', b: '2' }])).to.equal(true);
      expect(KeyRing.parse(`k1:${old},k2:${current}`).isAuthentic(proof, STATEMENT)).to.equal(true);
    });

    it('no other values, by no other key, with no bit changed or missing', () => {
      for (const other of [['integrations', 1, 8, { a: '1', b: '2' }], ['integrations', 1, 7, { a: '1' }], ['integrations']])
        expect(ring.isAuthentic(proof, other as unknown as Statement)).to.equal(false);
      expect(KeyRing.parse(`k2:${keyText(32)}`).isAuthentic(proof, STATEMENT)).to.equal(false);
      expect(KeyRing.parse(`k3:${current}`).isAuthentic(proof, STATEMENT)).to.equal(false);
      const changed = Array.from(proof, (byte, at) => Buffer.from(proof.with(at, byte ^ 1)));
      const cut = Array.from(proof, (_, length) => proof.subarray(0, length));
      for (const wrong of [null, ...changed, ...cut]) expect(ring.isAuthentic(wrong, STATEMENT)).to.equal(false);
    });
  });

  it('refuses an envelope with any one bit changed, or cut at any place', () => {
    const envelope = ring.encrypt('token', PLACE);
    const changed = Array.from(envelope, (byte, at) => Buffer.from(envelope.with(at, byte ^ 1)));
    const cut = Array.from(envelope, (_, length) => envelope.subarray(0, length));
    for (const wrong of [...changed, ...cut]) expect(() => ring.decrypt(wrong, PLACE)).to.throw(KeyRingError);
  });

  it('names a key that it lacks', () => {
    const envelope = KeyRing.parse(`k9:${keyText(32)}`).encrypt(PLAIN, PLACE);
    expect(() => ring.decrypt(envelope, PLACE))
      .to.throw(KeyRingError, '"k9"')
      .with.property('code', 'unknown_key');
  });

  it('refuses another key under a known ID', () => {
    const impostor = KeyRing.parse(`k1:${keyText(32)}`);
    expect(() => ring.decrypt(impostor.encrypt(PLAIN, PLACE), PLACE))
      .to.throw(KeyRingError)
      .with.property('code', 'unreadable_value');
  });

  it('creates a ring of one new key', () => {
    const [first, second] = [newKeyRingText(), newKeyRingText()];
    expect(KeyRing.parse(first).currentKeyId).to.equal('k1');
    expect(first).not.to.equal(second);
  });

  it('does not show its keys when it is printed', () => {
    const shown = inspect(ring, { depth: 9, showHidden: true }) + JSON.stringify(ring);
    expect(shown).not.to.contain(current).and.not.contain(Buffer.from(current, 'base64').toString('hex'));
  });
});

describe('KeyRing.parse', () => {
  const good = keyText(32);
  const faults: Readonly<Record<string, readonly [text: string, says: string]>> = {
    'no key': ['', 'key 1'],
    'an empty item': [`k1:${good},`, 'key 2'],
    'a key of 31 bytes': [`k1:${keyText(31)}`, 'key "k1" has 31 bytes'],
    'a key of 33 bytes': [`k1:${keyText(33)}`, 'key "k1" has 33 bytes'],
    'a repeated ID': [`k1:${good},k1:${keyText(32)}`, 'key "k1" is repeated'],
    'a key without ID': [good, 'key 1'],
    'an empty ID': [`:${good}`, 'key 1'],
    'an ID with a bar': [`a|b:${good}`, 'key 1'],
    'an ID of 33 characters': [`${'k'.repeat(33)}:${good}`, 'key 1'],
    'a key that is not base64': [`k1:${'*'.repeat(44)}`, 'key "k1"'],
    'an empty key': ['k1:', 'key "k1"'],
  };

  for (const [fault, [text, says]] of Object.entries(faults)) {
    it(`refuses ${fault} without repeating key material`, () => {
      const error = catchError(() => KeyRing.parse(text));
      expect(error).to.be.instanceOf(KeyRingError).with.property('code', 'malformed_keys');
      expect(String(error)).to.contain(says);
      for (const key of text.split(/[,:]/).filter((part) => part.length > 33)) expect(inspect(error)).not.to.contain(key);
    });
  }
});

function keyText(bytes: number): string {
  return randomBytes(bytes).toString('base64');
}

function catchError(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
}
