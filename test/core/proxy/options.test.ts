import { expect } from 'chai';
import { ServiceError } from '../../../core/errors.ts';
import { readOptions } from '../../../core/proxy/options.ts';

const REQUIRED = { 'provider-config-key': 'fake', 'connection-id': 'c1' };

describe('options of a proxied call', () => {
  it('have defaults', () => {
    expect(readOptions(REQUIRED)).to.deep.equal({
      providerConfigKey: 'fake',
      connectionId: 'c1',
      retries: 0,
      retryOn: [],
      baseUrlOverride: undefined,
      decompress: false,
      firstByteMs: 60_000,
      idleMs: 60_000,
    });
  });

  it('are read from headers', () => {
    const headers = { retries: '10', 'retry-on': '404, 409', decompress: 'True', 'svc-timeout': '90', 'base-url-override': '' };
    expect(readOptions({ ...REQUIRED, ...headers })).to.include({
      retries: 10,
      decompress: true,
      firstByteMs: 90_000,
      idleMs: 90_000,
    });
    expect(readOptions({ ...REQUIRED, ...headers }).retryOn).to.deep.equal([404, 409]);
  });

  it('take the bytes of a connection ID as UTF-8', () => {
    const bytes = Buffer.from('Zoë', 'utf8').toString('latin1');
    expect(readOptions({ ...REQUIRED, 'connection-id': bytes }).connectionId).to.equal('Zoë');
  });

  for (const [name, value] of [
    ['retries', '11'],
    ['retries', '-1'],
    ['retries', '1.5'],
    ['retries', 'many'],
    ['retry-on', '404,'],
    ['retry-on', '99'],
    ['retry-on', '404;409'],
    ['decompress', 'yes'],
    ['svc-timeout', '0'],
    ['svc-timeout', '3601'],
    ['provider-config-key', ''],
    ['connection-id', ''],
  ] as const) {
    it(`are refused with ${name}: "${value}"`, () => {
      expect(() => readOptions({ ...REQUIRED, [name]: value }))
        .to.throw(ServiceError)
        .with.property('code', 'invalid_headers');
    });
  }

  it('are refused with all their faults at once', () => {
    const read = () => readOptions({ retries: 'x', decompress: 'x' });
    expect(read).to.throw(ServiceError).with.nested.property('details.length', 4);
  });
});
