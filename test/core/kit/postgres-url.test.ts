import { expect } from 'chai';
import { postgresUrlFault, readPostgresUrl, withSslMode } from '../../../core/kit/postgres-url.ts';

const UNENCODED = 'characters that a URL must encode';
const FAULTS: readonly (readonly [string, string])[] = [
  ['mysql://db/svc', 'must be a URL that begins with postgres://'],
  ['host=db dbname=svc', 'must be a URL that begins with postgres://'],
  ['postgres://svc:pa/ss@db/svc', UNENCODED],
  ['postgres://svc:12/34@db/svc', UNENCODED],
  ['postgres://svc:pa?ss@db/svc', UNENCODED],
  ['postgres://svc:pa#ss@db/svc', UNENCODED],
  ['postgres://svc:pa@1/ss@db/svc', UNENCODED],
  ['postgres://svc:100%@db/svc', UNENCODED],
  ['postgres://svc:%ff@db/svc', UNENCODED],
  ['postgres://svc:pa ss@db/svc', UNENCODED],
  ['postgres://svc@a,b/svc', 'names several hosts'],
  ['postgres://svc:pw@a:5432,b:5433/svc', 'names several hosts'],
  ['postgres://svc@/svc?host=a,b', 'names several hosts'],
  ['postgres://svc:pw@db:70000/svc', 'a host or a port that is not valid'],
  ['postgres://svc:pw@db:port/svc', 'a host or a port that is not valid'],
  ['postgres://db/svc?sslmode=allow', 'an unknown sslmode'],
  ['postgres://db/svc?sslmode=', 'an unknown sslmode'],
];

const MODES: readonly (readonly [string, string])[] = [
  ['postgres://db/svc', 'prefer'],
  ['postgres://db/svc?sslmode=disable', 'disable'],
  ['postgres://db/svc?sslmode=require', 'require'],
  ['postgres://db/svc?sslmode=require&sslrootcert=/ca.pem', 'verify-ca'],
  ['postgres://db/svc?sslmode=no-verify&sslrootcert=/ca.pem', 'no-verify'],
  ['postgres://db/svc?sslrootcert=system', 'verify-full'],
  ['postgres://db/svc?ssl=true', 'require'],
  ['postgres://db/svc?ssl=0', 'disable'],
  ['postgres://db/svc?ssl=true&sslmode=verify-full', 'verify-full'],
  ['postgres:///svc?host=/run/postgresql&sslmode=require', 'disable'],
  ['postgres://svc:pw@/svc?host=/run/postgresql', 'disable'],
  ['postgres://svc@%2Frun%2Fpostgresql/svc', 'disable'],
];

describe('the URL of a Postgres database', () => {
  for (const [text, fault] of FAULTS) {
    it(`is refused: ${text}`, () => {
      expect(postgresUrlFault(text)).to.contain(fault);
    });
  }

  for (const [text, mode] of MODES) {
    it(`means ${mode}: ${text}`, () => {
      expect(postgresUrlFault(text)).to.equal(undefined);
      expect(readPostgresUrl(text).sslMode).to.equal(mode);
    });
  }

  it('is taken with odd characters that need no encoding, or are encoded', () => {
    for (const text of ['postgres://svc:p@ss:[w]&=@db/svc', 'postgres://svc:%2F%40%23@[::1]:5432/svc%40?application_name=a@b'])
      expect(postgresUrlFault(text), text).to.equal(undefined);
  });

  it('is passed on without the parameters for TLS, and with all others', () => {
    const text =
      'postgres://svc:p%2Fw@db:6432/svc?sslmode=verify-full&sslrootcert=/ca.pem&sslcert=/c&sslkey=/k&options=-c%20a%3Db';
    expect(readPostgresUrl(text)).to.deep.equal({
      url: 'postgres://svc:p%2Fw@db:6432/svc?options=-c+a%3Db',
      sslMode: 'verify-full',
      rootCertificate: '/ca.pem',
      certificate: '/c',
      key: '/k',
    });
    expect(readPostgresUrl(withSslMode('postgres://svc@/svc?sslmode=prefer', 'disable')).sslMode).to.equal('disable');
  });
});
