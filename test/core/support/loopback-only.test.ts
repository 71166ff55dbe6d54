import { lookup } from 'node:dns/promises';
import { expect } from 'chai';

describe('host names in tests', () => {
  it('are resolved when they name this machine', async () => {
    expect(await lookup('localhost')).to.have.property('address');
    expect(await lookup('127.0.0.1')).to.include({ address: '127.0.0.1' });
  });

  it('are not resolved when they name another machine', async () => {
    const fault = await lookup('one.one.one.one').catch((error: unknown) => error);
    expect(fault).to.include({ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND one.one.one.one' });
  });
});
