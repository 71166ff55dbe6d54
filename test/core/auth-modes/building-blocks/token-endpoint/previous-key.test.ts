import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { expect } from 'chai';
import { jwtVerify } from 'jose';
import { callTokenEndpoint } from '../../../../../core/auth-modes/building-blocks/token-endpoint/token-call.ts';
import { jsonResponse } from '../../../../support/fake-provider/echo.ts';
import { modeInput, NOW, useProvider } from './mode-input.ts';

const INVALID = { response: jsonResponse(401, { error: 'invalid_client' }) };
const pem = ({ privateKey }: { readonly privateKey: KeyObject }) => String(privateKey.export({ type: 'pkcs8', format: 'pem' }));

describe('a private key that was replaced', function () {
  const { provider, deps } = useProvider(this);
  const [before, after] = [0, 1].map(() => generateKeyPairSync('rsa', { modulusLength: 2048 }));
  if (before === undefined || after === undefined) throw new Error('there are two');

  /**
   * Calls a token endpoint that refuses the first assertion, for a client whose previous key is valid until `until`.
   *
   * @returns the assertions of the requests that were sent
   */
  async function assertionsSent(until: Date): Promise<readonly string[]> {
    const previousSecret = { secret: '', privateKey: pem(before ?? expect.fail()), until: until.toISOString() };
    const client = { clientId: 'a', clientSecret: '', scopes: [], privateKey: pem(after ?? expect.fail()), previousSecret };
    const definition = { token_url: provider.tokenUrl, token_request_auth_method: 'private_key_jwt' } as const;
    provider.next('token', INVALID, { response: jsonResponse(200, { access_token: 'A1' }) });
    const call = { url: 'token_url', templates: undefined, params: { grant_type: 'client_credentials' } } as const;
    await callTokenEndpoint(deps, modeInput(definition, { client }), call);
    return provider.ledger
      .of('token')
      .map(({ body }) => new URLSearchParams(body.toString()).get('client_assertion') ?? expect.fail('there is no assertion'));
  }

  it('still signs if the provider does not know the new key yet', async () => {
    const [first = '', second = '', ...more] = await assertionsSent(new Date(NOW.getTime() + 1));
    await jwtVerify(first, after.publicKey, { currentDate: NOW });
    await jwtVerify(second, before.publicKey, { currentDate: NOW });
    expect(more).to.deep.equal([]);
  });

  it('does not sign after its time is over', async () => {
    expect(await assertionsSent(NOW)).to.have.length(1);
  });
});
