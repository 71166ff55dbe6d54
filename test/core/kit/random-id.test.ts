import { expect } from 'chai';
import {
  hashSecret,
  newAccountKey,
  newApiKey,
  newConnectionId,
  newRequestId,
  newSecret,
  newSessionToken,
  newWebhookSecret,
} from '../../../core/kit/random-id.ts';

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const FORMS: ReadonlyArray<readonly [make: () => string, form: RegExp]> = [
  [newConnectionId, UUID_V4],
  [newRequestId, UUID_V7],
  [newApiKey, /^svc_sk_[A-Za-z0-9_-]{43}$/],
  [newAccountKey, /^svc_ak_[A-Za-z0-9_-]{43}$/],
  [newSessionToken, /^svc_connect_session_[0-9a-f]{64}$/],
  [newSecret, /^[A-Za-z0-9_-]{43}$/],
  [newWebhookSecret, /^whsec_[A-Za-z0-9+/]{43}=$/],
];

describe('random IDs and secrets', () => {
  for (const [make, form] of FORMS) {
    it(`${make.name} has its form and never repeats`, () => {
      const made = Array.from({ length: 200 }, make);
      expect(made.filter((text) => !form.test(text))).to.deep.equal([]);
      expect(new Set(made).size).to.equal(made.length);
    });
  }

  it('hashes a secret with SHA-256', () => {
    // FIPS 180-2, appendix B.1
    expect(hashSecret('abc').toString('hex')).to.equal('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
