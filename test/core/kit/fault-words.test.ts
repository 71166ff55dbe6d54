import { expect } from 'chai';
import { faultWords } from '../../../core/kit/fault-words.ts';
import { OutboundError, toOutboundError } from '../../../core/kit/outbound-error.ts';

const HOST = 'api.example.com';
const WORDS: Readonly<Record<string, string>> = {
  EAI_AGAIN: 'this machine cannot resolve api.example.com (DNS): EAI_AGAIN',
  ENOTFOUND: 'this machine cannot resolve api.example.com (DNS): ENOTFOUND',
  ECONNREFUSED: 'api.example.com refuses the network connection: ECONNREFUSED',
  EHOSTUNREACH: 'this machine has no route to api.example.com: EHOSTUNREACH',
  CERT_HAS_EXPIRED: 'the TLS certificate of api.example.com is not valid: CERT_HAS_EXPIRED',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate of api.example.com is not valid: DEPTH_ZERO_SELF_SIGNED_CERT',
  ERR_SSL_WRONG_VERSION_NUMBER: 'api.example.com does not speak TLS as expected: ERR_SSL_WRONG_VERSION_NUMBER',
  ECONNRESET: 'api.example.com ended the network connection without a response: ECONNRESET',
  HPE_INVALID_CONSTANT: 'api.example.com gave no usable response: HPE_INVALID_CONSTANT',
};

describe('the words for a call without a usable response', () => {
  for (const [code, words] of Object.entries(WORDS))
    it(`say what ${code} means, wherever in the chain of causes it is`, () => {
      const cause = Object.assign(new Error('low'), { code });
      expect(faultWords(toOutboundError(new Error('high', { cause })), HOST)).to.equal(words);
    });

  it('say whether the host accepted the network connection before the time was over', () => {
    const late = (beforeSending: boolean) => faultWords(new OutboundError('timeout', 'late', { beforeSending }), HOST);
    expect(late(true)).to.equal('api.example.com does not accept a network connection in time');
    expect(late(false)).to.equal('api.example.com does not respond in time');
  });

  it('repeat nothing of an error but a code', () => {
    const odd = toOutboundError(Object.assign(new Error('secret'), { code: 'Bearer secret' }));
    expect(faultWords(odd, HOST)).to.equal('api.example.com gave no usable response');
    expect(faultWords(toOutboundError('secret'), HOST)).to.equal('api.example.com gave no usable response');
  });
});
