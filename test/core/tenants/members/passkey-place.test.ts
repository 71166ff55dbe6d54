import { expect } from 'chai';
import { passkeyPlace } from '../../../../core/tenants/members/factors/passkeys.ts';

/**
 * For each base URL, the origin and the RP ID for passkeys, or the reason why they do not work there. The RP ID is the domain
 * name of a page that is served over https or from this machine (WebAuthn §5.1.3).
 */
const PLACES = {
  'https://svc.acme.example': { origin: 'https://svc.acme.example', rpId: 'svc.acme.example' },
  'https://svc.acme.example:8443/below': { origin: 'https://svc.acme.example:8443', rpId: 'svc.acme.example' },
  'http://localhost:3003': { origin: 'http://localhost:3003', rpId: 'localhost' },
  'http://svc.acme.example': { refused: 'no_https' },
  'http://localhost.acme.example': { refused: 'no_https' },
  'http://127.0.0.1:3003': { refused: 'ip_address' },
  'http://[::1]:3003': { refused: 'ip_address' },
  'https://192.0.2.1': { refused: 'ip_address' },
} as const;

describe('where browsers create passkeys', () => {
  for (const [baseUrl, place] of Object.entries(PLACES))
    it(`${baseUrl}: ${'refused' in place ? place.refused : place.rpId}`, () => {
      expect(passkeyPlace(baseUrl)).to.deep.equal(place);
    });
});
