import { expect } from 'chai';
import type { ModeInput } from '../../../../core/auth-modes/auth-mode.ts';
import { credentialHeaders } from '../../../../core/auth-modes/credential-headers.ts';
import { custom, type StoredCustom, storedInstallation } from '../../../../core/auth-modes/custom/index.ts';
import { tokenSet } from '../../../../core/auth-modes/token-set.ts';
import { validityOf } from '../../../../core/auth-modes/validity.ts';
import { createOutbound } from '../../../../core/kit/outbound.ts';
import { type FakeAppHost, startFakeAppHost } from '../../../support/fake-app-host.ts';
import { use } from '../../../support/use.ts';
import { modeInput, NOW, tokenFailure } from '../building-blocks/token-endpoint/mode-input.ts';

const at = { receivedAt: NOW.toISOString() };

function installed(user: object = {}): StoredCustom {
  return storedInstallation({
    app: {
      type: 'APP',
      appId: '4711',
      installationId: '1001',
      accessToken: 'of-installation',
      expiresAt: '2026-03-01T13:00:00.000Z',
      raw: { permissions: {} },
      ...at,
    },
    user: { accessToken: 'of-user', refreshToken: 'refresh', expiresAt: '2026-03-01T20:00:00.000Z', raw: {}, ...at, ...user },
  });
}

/** Credentials in a plugin's own format. */
const OWN: StoredCustom = { type: 'CUSTOM', raw: { key: 'value', list: [1], refresh_token: 'r' }, ...at };

describe('credentials of an installation with a user', function () {
  const outbound = use(this, () => createOutbound({ allow: ['127.0.0.1/32'] }));
  const host = use(this, startFakeAppHost);

  function inputOf({ url, app }: FakeAppHost): ModeInput {
    const definition = {
      auth_mode: 'CUSTOM',
      token_url: `${url}/app/installations/\${connectionConfig.installation_id}/access_tokens`,
      installation: {
        user_token_url: `${url}/login/oauth/access_token`,
        user_installations: { url: `${url}/user/installations`, list: 'installations', id: 'id' },
      },
    };
    const { client_id: clientId, client_secret: clientSecret, app_id: appId, private_key: privateKey } = app;
    return modeInput(definition, { client: { clientId, clientSecret, appId, privateKey, scopes: [] } });
  }

  function refresh(stored: StoredCustom): Promise<StoredCustom> {
    if (custom.refresh === undefined) throw new Error('it can be renewed');
    return custom.refresh({ outbound, now: () => NOW }, inputOf(host), stored);
  }

  it('expire with the token that ends first', () => {
    expect(validityOf(installed())).to.deep.include({ expiresAt: new Date('2026-03-01T13:00:00Z'), refreshable: true });
    expect(installed({ expiresAt: '2026-03-01T12:30:00.000Z' }).expiresAt).to.equal('2026-03-01T12:30:00.000Z');
    expect(installed({ expiresAt: undefined }).expiresAt).to.equal('2026-03-01T13:00:00.000Z');
  });

  it('show both tokens, each with the response that it came in', () => {
    const app = {
      app_id: '4711',
      installation_id: '1001',
      access_token: 'of-installation',
      expires_at: '2026-03-01T13:00:00.000Z',
    };
    const user = { access_token: 'of-user', expires_at: '2026-03-01T20:00:00.000Z', raw: {} };
    const raw = { app: { ...app, raw: { permissions: {} } }, user };
    expect(custom.present(installed(), { withRefreshToken: false })).to.deep.equal({ type: 'CUSTOM', raw });
    expect(custom.present(installed(), { withRefreshToken: true })).to.deep.equal({
      type: 'CUSTOM',
      raw: { ...raw, user: { ...user, refresh_token: 'refresh' } },
    });
    expect(tokenSet(installed())).to.deep.include({ accessToken: 'of-installation' });
  });

  it('sign with the token of the installation, unless the definition names that of the user', () => {
    const headers = (authorization?: string) => {
      const proxy = { base_url: 'https://api.example.com', ...(authorization && { headers: { authorization } }) };
      const source = { ...modeInput({ proxy }), credentials: custom.templateValues(installed()) };
      return credentialHeaders(source, installed()).fixed;
    };
    expect(headers()).to.deep.equal([{ name: 'authorization', value: 'Bearer of-installation' }]);
    expect(headers('Bearer ${credentials.user.access_token}')).to.deep.equal([
      { name: 'authorization', value: 'Bearer of-user' },
    ]);
  });

  it('keep a user’s token that does not expire', async () => {
    const user = host.addUser(1);
    const { app, user: token } = installed({ refreshToken: undefined, expiresAt: undefined }).installed ?? expect.fail();
    const { refreshToken: _, expiresAt: __, ...lasting } = token;
    const stored = storedInstallation({ app: { ...app, installationId: String(user.installations[0]) }, user: lasting });
    const renewed = await refresh(stored);
    expect(renewed.installed?.user).to.deep.equal(lasting);
    expect(renewed.installed?.app.accessToken).to.equal(host.installationTokens.at(-1));
    expect(host.ledger.of('user-token')).to.have.length(0);
  });

  it('are refused when the user’s refresh token is refused', async () => {
    const user = host.addUser(1);
    const { app, user: token } = installed().installed ?? expect.fail();
    const stored = storedInstallation({ app: { ...app, installationId: String(user.installations[0]) }, user: token });
    expect(await tokenFailure(refresh(stored))).to.include({ kind: 'refused', providerCode: 'bad_refresh_token' });
  });
});

describe('credentials in a format of a plugin', () => {
  it('are shown and used in templates, but neither sent nor refreshed by the mode', async () => {
    expect(custom.present(OWN, { withRefreshToken: false })).to.deep.equal({ type: 'CUSTOM', raw: { key: 'value', list: [1] } });
    expect(custom.templateValues(OWN)).to.deep.equal({ 'credentials.key': 'value', 'credentials.refresh_token': 'r' });
    expect(custom.sign?.(OWN, modeInput())).to.deep.equal({});
    expect(validityOf(OWN)).to.deep.equal({ receivedAt: NOW, refreshable: false });
  });
});
