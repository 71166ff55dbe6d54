import { expect } from 'chai';
import { connectionsOf } from '../../support/authorization.ts';
import { readConnection } from '../../support/connect.ts';
import { connect, hostOfUser, TOKEN, type TokenRow, tokenRow } from '../../support/deviating-tokens.ts';
import type { Deviation } from '../../support/deviation.ts';
import { expectError } from '../../support/std-error.ts';

const BEARER = { authorization: `Bearer ${TOKEN}` };
const HOUR = 3_600;

function codeGrant(name: string, more: object = {}): Readonly<Record<string, unknown>> {
  const api = `https://${name}.example`;
  return { auth_mode: 'OAUTH2', authorization_url: `${api}/authorize`, token_url: `${api}/token`, ...more };
}

function inSeconds(seconds: number): number {
  return Math.floor(Date.now() / 1000) + seconds;
}

/** Slack: errors of https://docs.slack.dev/reference/methods/oauth.v2.access */
const refusing: TokenRow = {
  name: 'refusal-with-200',
  members: codeGrant('refusal-with-200'),
  responds: ({ body }) => ({ body: body.includes('code=bad') ? { ok: false, error: 'invalid_code' } : { access_token: TOKEN } }),
  carries: BEARER,
};

const rows: readonly Deviation[] = [
  tokenRow({
    name: 'lifetime-as-text',
    members: codeGrant('lifetime-as-text'),
    responds: () => ({ body: { access_token: TOKEN, expires_in: '7200' } }),
    carries: BEARER,
    lifetime: 2 * HOUR,
  }),
  tokenRow({
    name: 'lifetime-in-milliseconds',
    members: codeGrant('lifetime-in-milliseconds', { expires_in_unit: 'milliseconds' }),
    responds: () => ({ body: { access_token: TOKEN, expires_in: 7_200_000 } }),
    carries: BEARER,
    lifetime: 2 * HOUR,
  }),
  tokenRow({
    name: 'expiry-as-a-date',
    members: codeGrant('expiry-as-a-date', { token_response: { token: 'session.key', token_expiration: 'session.until' } }),
    responds: () => ({ body: { session: { key: TOKEN, until: new Date(inSeconds(3 * HOUR) * 1000).toISOString() } } }),
    carries: BEARER,
    lifetime: 3 * HOUR,
  }),
  // Workday, whose token responses state no lifetime.
  tokenRow({
    name: 'fixed-lifetime',
    members: codeGrant('fixed-lifetime', { token_lifetime: 4 * HOUR }),
    carries: BEARER,
    lifetime: 4 * HOUR,
  }),
  // Salesforce: https://help.salesforce.com/s/articleView?id=xcloud.remoteaccess_oidc_token_introspection.htm
  tokenRow({
    name: 'asked-lifetime',
    members: codeGrant('asked-lifetime', { introspection_url: 'https://asked-lifetime.example/token/introspect' }),
    responds: ({ target }) =>
      target === '/token' ? { body: { access_token: TOKEN } } : { body: { active: true, exp: inSeconds(5 * HOUR) } },
    asks: [{ path: '/token' }, { path: '/token/introspect' }],
    carries: BEARER,
    lifetime: 5 * HOUR,
    hostile: hostOfUser('introspection_url', 'https://${connectionConfig.site}/introspect'),
  }),
  // Salesforce: `instance_url` of a token response.
  tokenRow({
    name: 'host-by-token-response',
    members: codeGrant('host-by-token-response', {
      token_response_metadata: ['instance_url'],
      connection_config: {
        instance_url: { type: 'string', title: 'Instance', pattern: 'https://[a-z-]+\\.example', automated: true },
      },
      proxy: { base_url: '${connectionConfig.instance_url}' },
    }),
    responds: () => ({ body: { access_token: TOKEN, instance_url: 'https://host-by-token-response.example' } }),
    carries: BEARER,
    hostile: {
      title: 'is refused if it allows any host',
      members: { connection_config: { instance_url: { type: 'string', title: 'Instance', automated: true } } },
      refusedFor: /proxy\.base_url: "connectionConfig\.instance_url" decides the host/,
    },
  }),
  tokenRow({
    ...refusing,
    hostile: {
      title: 'stores nothing after a refusal with a success status',
      attack: async (scene) => {
        const before = (await connectionsOf(scene.app)).length;
        expect((await connect(scene, { ...refusing, callback: { code: 'bad' } })).status).to.equal(400);
        expect(await connectionsOf(scene.app)).to.have.length(before);
      },
    },
  }),
  tokenRow({
    name: 'nested-error',
    members: codeGrant('nested-error'),
    responds: ({ body }) =>
      body.includes('grant_type=refresh_token')
        ? { status: 400, body: { error: { code: 'invalid_grant', message: 'gone' } } }
        : { body: { access_token: TOKEN, refresh_token: 'refresh-token', expires_in: HOUR } },
    carries: BEARER,
    hostile: {
      title: 'requires the user after the refresh token was refused',
      attack: async ({ app, name }) => {
        const [connection] = await connectionsOf(app);
        const connected = { connectionId: connection?.connection_id ?? '', key: name };
        expectError(await readConnection(app, connected, '&force_refresh=true'), 'invalid_credentials');
      },
    },
  }),
];

export default rows;
