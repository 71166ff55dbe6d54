import { expect } from 'chai';
import { isLoopback } from '../../../core/kit/loopback.ts';

describe('isLoopback', () => {
  it('recognizes the machine itself in the forms of URLs and sockets', () => {
    for (const host of ['localhost', '127.0.0.1', '127.255.1.2', '::1', '[::1]', new URL('http://127.1').hostname])
      expect(isLoopback(host), host).to.equal(true);
  });

  it('does not accept names and addresses that only look similar', () => {
    for (const host of [
      '',
      'localhost.evil.example',
      '127.0.0.1.evil.example',
      '127.evil.example',
      'x127.0.0.1',
      '::10',
      '[::1].x',
    ])
      expect(isLoopback(host), host).to.equal(false);
  });
});
