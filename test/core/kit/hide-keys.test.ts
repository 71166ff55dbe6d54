import { expect } from 'chai';
import { hideKeys } from '../../../core/kit/hide-keys.ts';
import { newAccountKey, newApiKey, newSessionToken } from '../../../core/kit/random-id.ts';

describe('hideKeys', () => {
  for (const make of [newApiKey, newAccountKey, newSessionToken]) {
    it(`removes every result of ${make.name} anywhere in a text`, () => {
      expect(hideKeys(`/a/${make()}?b=${make()}.`)).to.equal('/a/[redacted]?b=[redacted].');
    });
  }

  it('leaves other texts alone', () => {
    for (const text of ['', 'svc_sk_', 'svc_sk_short', 'no connection "svc_1"', 'svc_connect_session_x']) {
      expect(hideKeys(text)).to.equal(text);
    }
  });
});
