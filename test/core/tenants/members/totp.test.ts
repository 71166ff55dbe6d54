import { expect } from 'chai';
import { newTotpSecret, stepOfCode, totpUri } from '../../../../core/tenants/members/factors/totp.ts';

/** `12345678901234567890` in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
/** RFC 6238 Appendix B, SHA-1: seconds since 1970, the time step, and the last six of the eight digits. */
const VECTORS = [
  [59, 0x1, '287082'],
  [1111111109, 0x23523ec, '081804'],
  [1111111111, 0x23523ed, '050471'],
  [1234567890, 0x273ef07, '005924'],
  [2000000000, 0x3f940aa, '279037'],
  [20000000000, 0x27bc86aa, '353130'],
] as const;

describe('codes of an authenticator app', () => {
  for (const [seconds, step, code] of VECTORS) {
    it(`at ${seconds} s: ${code} (RFC 6238 Appendix B)`, () => {
      expect(stepOfCode(SECRET, code, new Date(seconds * 1_000))).to.equal(step);
    });

    it(`are right for clocks up to 30 s behind or ahead, and for no others: ${code}`, () => {
      const from = step * 30;
      for (const [offset, isRight] of [
        [-31, false],
        [-30, true],
        [59, true],
        [60, false],
      ] as const)
        expect(stepOfCode(SECRET, code, new Date((from + offset) * 1_000)), `${offset} s`).to.equal(isRight ? step : undefined);
    });
  }

  it('have a secret of 160 bits, a new one each time', () => {
    const secrets = Array.from({ length: 100 }, newTotpSecret);
    for (const secret of secrets) expect(secret).to.match(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets)).to.have.length(100);
  });

  it('are named in the app by service and e-mail', () => {
    const uri = new URL(totpUri(SECRET, 'ada+svc@acme.example'));
    expect(uri.href).to.match(/^otpauth:\/\/totp\/svc:ada/);
    expect(decodeURIComponent(uri.pathname)).to.contain('ada+svc@acme.example');
    expect(Object.fromEntries(uri.searchParams)).to.deep.equal({
      issuer: 'svc',
      secret: SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    });
  });
});
