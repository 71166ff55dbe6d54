import { lookup } from 'node:dns/promises';
import { expect } from 'chai';

describe('names in tests', () => {
  it('are found when they are this machine', async () => {
    expect(await lookup('localhost')).to.have.property('address');
    expect(await lookup('127.0.0.1')).to.include({ address: '127.0.0.1' });
  });

  it('are not found beyond it', async () => {
    const fault = await lookup('one.one.one.one').catch((error: unknown) => error);
    expect(fault).to.include({ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND one.one.one.one' });
  });
});
