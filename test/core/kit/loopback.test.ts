import { expect } from 'chai';
import { isLoopback } from '../../../core/kit/loopback.ts';

describe('isLoopback', () => {
  it('knows the machine itself, as URLs and sockets state it', () => {
    for (const host of ['localhost', '127.0.0.1', '127.255.1.2', '::1', '[::1]', new URL('http://127.1').hostname])
      expect(isLoopback(host), host).to.equal(true);
  });

  it('does not take names and addresses for it that only look alike', () => {
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
