import { expect } from 'chai';
import { PluginError } from '#contract';
import { hookContext } from '../../test/support/plugin-hook.ts';
import plugin from './plugin.ts';

const LOGIN = { username: 'ada', password: 'the-password' };
const basic = (password: string) => `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`;

function contextOf(response: () => Response, raw = {}) {
  const { context, calls } = hookContext({ response, connectionConfig: { hostname: 'cloud.example.com' }, raw });
  const app = { client: { clientId: '', clientSecret: '' }, now: new Date() };
  return { context: { ...context, ...app }, calls };
}

describe('plugin nextcloud', () => {
  it('exchanges the account password for an app password of the connection', async () => {
    const { context, calls } = contextOf(() => Response.json({ ocs: { data: { apppassword: 'of-the-app' } } }));
    expect((await plugin.auth.authenticate(context, LOGIN)).accessToken).to.equal('of-the-app');
    const [call] = calls;
    expect(call?.url).to.equal('https://cloud.example.com/ocs/v2.php/core/getapppassword?format=json');
    expect(call?.headers.get('authorization')).to.equal(basic('the-password'));
    expect(call?.headers.get('ocs-apirequest')).to.equal('true');
  });

  it('keeps an app password that was entered', async () => {
    const { context } = contextOf(() => new Response('', { status: 403 }));
    expect(await plugin.auth.authenticate(context, LOGIN)).to.deep.equal({ accessToken: 'the-password', raw: {} });
  });

  for (const [what, response, code] of [
    ['the password is wrong', () => new Response('', { status: 401 }), 'invalid_credentials'],
    ['the server is away', () => new Response('', { status: 503 }), 'provider_unavailable'],
    ['the server does not run Nextcloud', () => new Response('<html>'), 'provider_unavailable'],
    ['there is no password in the response', () => Response.json({ ocs: { data: [] } }), 'provider_unavailable'],
  ] as const) {
    it(`refuses if ${what}`, async () => {
      const { context } = contextOf(response);
      const failure: unknown = await plugin.auth.authenticate(context, LOGIN).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(PluginError).and.to.include({ code });
    });
  }

  it('authenticates with the app password to delete it, and fails if the server is unavailable', async () => {
    const raw = { username: 'ada', password: 'of-the-app' };
    const { context, calls } = contextOf(() => new Response(null, { status: 200 }), raw);
    await plugin.connection.revoke(context);
    const [call] = calls;
    expect([call?.method, call?.url]).to.deep.equal(['DELETE', 'https://cloud.example.com/ocs/v2.php/core/apppassword']);
    expect(call?.headers.get('authorization')).to.equal(basic('of-the-app'));
    const away = contextOf(() => new Response('', { status: 502 }), raw);
    const failure: unknown = await plugin.connection.revoke(away.context).catch((error: unknown) => error);
    expect(failure).to.be.instanceOf(PluginError);
  });
});
