import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { HonestClient } from '../../support/honest-provider/configuration.ts';
import { walkConsent } from '../../support/honest-provider/consent.ts';
import { startHonestProvider } from '../../support/honest-provider/honest-provider.ts';
import { type ClientAnswer, readAnswer } from '../../support/http-client.ts';
import { use } from '../../support/use.ts';
import { WebWalker } from '../../support/web-walker.ts';

const REDIRECT_URI = 'http://localhost:3003/oauth/callback';
const VERIFIER = 'a-verifier-of-the-length-that-rfc-7636-asks-for';
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');

describe('honest provider', function () {
  const provider = use(this, () => startHonestProvider({ redirectUris: [REDIRECT_URI], accessTokenTtlSeconds: 60 }));
  function authorizationUrl(changes: Record<string, string> = {}): string {
    const query = {
      response_type: 'code',
      client_id: provider.clients.basic.clientId,
      redirect_uri: REDIRECT_URI,
      state: 'state-1',
      scope: 'notes',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      ...changes,
    };
    return `${provider.url}/auth?${new URLSearchParams(query)}`;
  }

  async function callToken(params: Record<string, string>, { clientId, clientSecret }: HonestClient = provider.clients.basic) {
    const encoded = [clientId, clientSecret].map(encodeURIComponent).join(':');
    const headers = { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` };
    return readAnswer(await fetch(`${provider.url}/token`, { method: 'POST', headers, body: new URLSearchParams(params) }));
  }

  async function exchange(): Promise<ClientAnswer> {
    const callback = new URL(await walkConsent(new WebWalker(), authorizationUrl()));
    const code = callback.searchParams.get('code') ?? '';
    return callToken({ grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER });
  }

  it('walks an honest flow: consent, callback with issuer, tokens, API', async () => {
    const callback = new URL(await walkConsent(new WebWalker(), authorizationUrl()));
    expect(`${callback.origin}${callback.pathname}`).to.equal(REDIRECT_URI);
    expect(callback.searchParams.get('state')).to.equal('state-1');
    expect(callback.searchParams.get('iss')).to.equal(provider.url);

    const { body } = await exchange();
    expect(body).to.include({ token_type: 'Bearer', expires_in: 60, scope: 'notes' });
    const me = await fetch(`${provider.url}/api/me`, { headers: { authorization: `Bearer ${body.access_token}` } });
    expect(await me.json()).to.deep.equal({ id: 'ada', name: 'Ada' });
  });

  it('authenticates the second client by the body', async () => {
    const { clientId, clientSecret } = provider.clients.body;
    const callback = new URL(await walkConsent(new WebWalker(), authorizationUrl({ client_id: clientId })));
    const code = callback.searchParams.get('code') ?? '';
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: VERIFIER,
      client_id: clientId,
      client_secret: clientSecret,
    });
    expect((await fetch(`${provider.url}/token`, { method: 'POST', body })).status).to.equal(200);
  });

  it('carries a refusal back', async () => {
    const callback = new URL(await walkConsent(new WebWalker(), authorizationUrl(), 'deny'));
    expect(callback.searchParams.get('error')).to.equal('access_denied');
  });

  it('refuses a redirect URI that is not exactly the registered one', async () => {
    const page = await new WebWalker().visit(authorizationUrl({ redirect_uri: `${REDIRECT_URI}/` }));
    expect(page.status).to.equal(400);
    expect(page.headers.get('location')).to.equal(null);
  });

  it('refuses a flow without PKCE and a wrong verifier', async () => {
    const callback = new URL(await walkConsent(new WebWalker(), authorizationUrl({ code_challenge: '' })));
    expect(callback.searchParams.get('error')).to.equal('invalid_request');

    const honest = new URL(await walkConsent(new WebWalker(), authorizationUrl()));
    const code = honest.searchParams.get('code') ?? '';
    const answer = await callToken({
      grant_type: 'authorization_code',
      code,
      redirect_uri: REDIRECT_URI,
      code_verifier: `${VERIFIER}x`,
    });
    expect(answer.body.error).to.equal('invalid_grant');
  });

  it('rotates refresh tokens and revokes the grant when one is used twice', async () => {
    const { body: first } = await exchange();
    const { body: second } = await callToken({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    expect(second.refresh_token).to.be.a('string').and.not.equal(first.refresh_token);
    const reuse = await callToken({ grant_type: 'refresh_token', refresh_token: first.refresh_token });
    expect(reuse.body.error).to.equal('invalid_grant');
    const api = await fetch(`${provider.url}/api/me`, { headers: { authorization: `Bearer ${second.access_token}` } });
    expect(api.status).to.equal(401);
  });
});
