import { createHash, X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { decodeProtectedHeader, importX509, jwtVerify } from 'jose';
import type { ProviderDefinition } from '#contract';
import { oauth2Cc } from '../../../../core/auth-modes/oauth2-cc/index.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { ecCertificate, rsaCertificate } from '../../../support/client-certificates.ts';
import { inputFor, modeInput, NOW, tokenFailure, useProvider } from '../building-blocks/token-endpoint/mode-input.ts';

const { certificate: client_certificate, privateKey: client_private_key } = rsaCertificate;
const RESPONSE = { response: { status: 200, body: '{"access_token":"A1","expires_in":60}' } };

describe('an app that authenticates without a secret', function () {
  const { provider, deps } = useProvider(this);

  const storedOf = (given: Readonly<Record<string, string>>) => {
    return { ...form().store({ client_id: 'own-id', ...given }), receivedAt: NOW.toISOString() };
  };

  function refreshed(definition: Partial<ProviderDefinition>, given: Readonly<Record<string, string>>) {
    const stored = storedOf(given);
    const input = inputFor(provider, definition, { connectionConfig: { key: 'key-1' } });
    return { stored, input, work: oauth2Cc.refresh?.(deps, input, stored) ?? Promise.reject(new Error('it cannot be renewed')) };
  }

  const sent = () => Object.fromEntries(new URLSearchParams(provider.ledger.of('token')[0]?.body.toString()));

  it('signs an assertion (RFC 7523 §3) that names its key and its certificate, and presents no certificate', async () => {
    provider.next('token', RESPONSE);
    const client_assertion = { algorithm: 'PS256', key_id: '${connectionConfig.key}', audience: 'https://example.com' } as const;
    const definition = { token_request_auth_method: 'private_key_jwt', client_assertion } as const;
    const { work, stored, input } = refreshed(definition, { client_certificate, client_private_key });
    expect(await work).to.include({ token: 'A1' });
    const { client_assertion: assertion = '', ...params } = sent();
    expect(params).to.deep.equal({
      grant_type: 'client_credentials',
      scope: 'read',
      client_id: 'own-id',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    });
    const options = { audience: 'https://example.com', issuer: 'own-id', subject: 'own-id', currentDate: NOW };
    const { payload } = await jwtVerify(assertion, await importX509(client_certificate, 'PS256'), options);
    expect(payload.jti).to.have.length.of.at.least(20);
    expect((payload.exp ?? 0) - NOW.getTime() / 1000).to.be.within(200, 300);
    const thumbprint = createHash('sha256').update(new X509Certificate(client_certificate).raw).digest('base64url');
    expect(decodeProtectedHeader(assertion)).to.deep.equal({ alg: 'PS256', typ: 'JWT', kid: 'key-1', 'x5t#S256': thumbprint });
    expect(oauth2Cc.certificate?.(stored, input)).to.equal(undefined);
  });

  it('sends only its ID if its certificate is the proof (RFC 8705 §2), and presents the certificate', async () => {
    provider.next('token', RESPONSE);
    const secret = { client_secret: 'not sent' };
    const given = { client_certificate, client_private_key, ...secret };
    const { work, stored, input } = refreshed({ token_request_auth_method: 'tls_client_auth' }, given);
    await work;
    expect(sent()).to.deep.equal({ grant_type: 'client_credentials', scope: 'read', client_id: 'own-id' });
    expect(oauth2Cc.certificate?.(stored, input)).to.deep.equal(rsaCertificate);
  });

  for (const [fault, given] of [
    ['there is no key', { client_secret: 'secret' }],
    ['the key is of another kind', { client_private_key: ecCertificate.privateKey }],
  ] as const) {
    it(`sends nothing where ${fault}, and says so without the key`, async () => {
      const failure = await tokenFailure(refreshed({ token_request_auth_method: 'private_key_jwt' }, given).work);
      expect(failure).to.include({ kind: 'transient' });
      expect(failure.message)
        .to.match(/assertion cannot be signed/)
        .and.to.not.contain('-----');
      expect(provider.ledger.entries).to.deep.equal([]);
    });
  }

  it('shows neither key nor certificate', () => {
    const shown = oauth2Cc.present(storedOf({ client_certificate, client_private_key }), { withRefreshToken: true });
    expect(Object.keys(shown)).to.have.members(['type', 'client_id', 'client_secret', 'token', 'raw']);
    expect(JSON.stringify(shown)).to.not.contain('-----');
  });

  it('accepts a PEM in one line', () => {
    const oneLine = { client_certificate: client_certificate.replaceAll('\n', ' '), client_private_key };
    expect(form().store({ client_id: 'own-id', ...oneLine })).to.include({ clientCertificate: client_certificate });
  });

  const CERTIFIED = { title: 'Certificate', type: 'string' } as const;
  for (const [fault, given, field] of [
    ['nothing but an ID', {}, 'client_secret'],
    [
      'the certificate of another key',
      { client_certificate, client_private_key: ecCertificate.privateKey },
      'client_certificate',
    ],
    ['a certificate without a key', { client_certificate, client_secret: 'secret' }, 'client_certificate'],
    ['no certificate where the definition asks for one', { client_secret: 'secret' }, 'client_certificate'],
    ['a key that is no PEM', { client_private_key: 'hush' }, 'client_private_key'],
    ['a certificate in place of the key', { client_private_key: client_certificate }, 'client_private_key'],
  ] as const) {
    it(`is refused with ${fault}`, () => {
      const isDeclared = fault.includes('asks for one');
      const input = modeInput(isDeclared ? { credentials: { client_certificate: CERTIFIED } } : {});
      const check = () => form().check?.({ client_id: 'own-id', ...given }, input);
      expect(check)
        .to.throw(ServiceError)
        .that.satisfies((error: ServiceError) => {
          expect(error.code).to.equal('invalid_body');
          expect(error.details?.map(({ path }) => path)).to.deep.equal([[field]]);
          return !`${error.message}${error.stack}`.includes('hush');
        });
    });
  }

  function form() {
    if (oauth2Cc.form === undefined) throw new Error('it has no form');
    return oauth2Cc.form;
  }
});
