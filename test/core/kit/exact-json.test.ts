import { expect } from 'chai';
import { textAt } from '../../../core/contract/value-at.ts';
import { canonicalJson } from '../../../core/kit/canonical-json.ts';
import { copyJson, copyWithTexts, ExactNumber, numberOf, parseJson } from '../../../core/kit/exact-json.ts';
import { withSeededRandom } from '../../support/seeded-random.ts';

/** Numbers as JSON writes them, and the texts that the service makes of them. */
const EXACT: Readonly<Record<string, string>> = {
  '17841405822304915': '17841405822304915',
  '-17841405822304915': '-17841405822304915',
  '9007199254740993': '9007199254740993',
  '123456789012345678901234567890': '123456789012345678901234567890',
  '12345678901234567.0': '12345678901234567',
  '1e20': '100000000000000000000',
  '1.5E+17': '150000000000000000',
  '0.12345678901234567890': '0.12345678901234567890',
  '1e999': `1${'0'.repeat(999)}`,
  '1e-20000': '1e-20000',
  '1e9999999999': '1e9999999999',
};
const ORDINARY = [
  '0',
  '-0',
  '1',
  '-1.5',
  '0.1',
  '1e2',
  '1.50',
  '9007199254740991',
  '1000000000000000.0',
  '5e-324',
  '1E-7',
  '0e99999',
];
/** JSON with digits that are not numbers. */
const TEXTS = ['"17841405822304915"', '"a 1e5 b"', '"6b8e4e51-1e57-4c0f-9e10-12345678901234567890"', '{"1784140582230491500":1}'];

describe('JSON from outside the service', () => {
  for (const [source, text] of Object.entries(EXACT))
    it(`keeps ${source}`, () => {
      const { n, list } = parseJson(`{"n":${source},"list":[${source}]}`);
      expect(n).to.be.instanceOf(ExactNumber);
      expect(String(n)).to.equal(text);
      expect(`${list[0]}`).to.equal(text);
      expect(JSON.stringify({ list, n })).to.equal(`{"list":[${source}],"n":${source}}`);
      expect(Number(n)).to.equal(Number(source));
      expect(textAt({ n }, 'n')).to.equal(/[.-]\d*[1-9]\d*$/.test(source) && !/^-\d+$/.test(source) ? undefined : text);
    });

  for (const source of ORDINARY)
    it(`reads ${source} as a number`, () => {
      expect(parseJson(`[${source}]`)).to.deep.equal([JSON.parse(source)]);
    });

  for (const source of TEXTS)
    it(`leaves ${source} alone`, () => {
      expect(parseJson(source)).to.deep.equal(JSON.parse(source));
    });

  it('keeps the value of any number', () =>
    withSeededRandom(async (random) => {
      for (let round = 0; round < 5_000; round += 1) {
        const digits = (most: number) => Array.from({ length: 1 + random.below(most) }, () => random.below(10)).join('');
        const whole = digits(25).replace(/^0+(?=\d)/, '');
        const fraction = random.below(2) === 0 ? '' : `.${digits(25)}`;
        const power = random.below(3) > 0 ? '' : `e${random.pick(['', '+', '-'])}${random.below(40)}`;
        const source = `${random.pick(['', '-'])}${whole}${fraction}${power}`;
        const written = JSON.stringify(parseJson(`[${source}]`)).slice(1, -1);
        expect(decimalOf(written), source).to.deep.equal(decimalOf(source));
      }
    }));

  it('is copied with its exact numbers', () => {
    const value = { at: new Date(0), n: numberOf('17841405822304915'), list: [{ f: numberOf('0.12345678901234567890') }] };
    const copy = copyJson(value);
    expect(JSON.stringify(copy)).to.equal(JSON.stringify(value));
    expect(copy.list[0]).to.not.equal(value.list[0]);
    expect(copyWithTexts(value)).to.deep.equal({
      at: new Date(0),
      n: '17841405822304915',
      list: [{ f: 0.12345678901234568 }],
    });
  });

  it('has one canonical text, however it is written', () => {
    const texts = ['{"b":1e21,"a":[]}', '{"a":[],"b":1000000000000000000000.0}'].map((text) => canonicalJson(parseJson(text)));
    expect(texts[0]).to.equal(texts[1]);
    expect(canonicalJson(parseJson('[9007199254740993]'))).to.not.equal(canonicalJson(parseJson('[9007199254740995]')));
  });

  it('states whether it fits PostgreSQL', () => {
    const fits = (source: string) => new ExactNumber(source).fitsPostgres;
    expect(['1e20', `0.${'1'.repeat(16_383)}`].map(fits)).to.deep.equal([true, true]);
    expect(['1e999', '1e-20000', `0.${'1'.repeat(16_384)}`].map(fits)).to.deep.equal([false, false, false]);
  });
});

/** Returns a number as an integer without trailing zeros, and the power of ten by which it is multiplied. */
function decimalOf(source: string): readonly [bigint, number] {
  const [, sign = '', whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? [];
  let [integer, exponent] = [BigInt(sign + whole + fraction), Number(power) - fraction.length + 0];
  while (integer !== 0n && integer % 10n === 0n) [integer, exponent] = [integer / 10n, exponent + 1];
  return integer === 0n ? [0n, 0] : [integer, exponent];
}
