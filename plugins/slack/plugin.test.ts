import { expect } from 'chai';
import { isHmacValid, isTimely } from '../../core/catalogue/webhooks/verify-signature.ts';
import { incomingJson, incomingWebhook, STRANGE_PAYLOADS } from '../../test/support/incoming-webhook.ts';
import { hookContext } from '../../test/support/plugin-hook.ts';
import plugin from './plugin.ts';

/** The example in Slack's documentation, "Verifying requests from Slack". */
const DOCUMENTED = {
  secret: '8f742231b10e8888abcd99yyyzzz85a5',
  timestamp: '1531420618',
  body: [
    'token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar',
    'user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=',
    'response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN',
    'trigger_id=398738663015.47445629121.803a0bc887a14d10d2c447fce8b6703c',
  ].join('&'),
  signature: 'v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503',
};
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const eventOf = (payload: unknown) => plugin.webhook.events(incomingJson(payload))[0];
const teamKey = (value: string) => ({ by: 'connectionConfig', field: 'team.id', value });
const organizationKey = (value: string) => ({ by: 'connectionConfig', field: 'organization_id', value });

describe('plugin slack', () => {
  for (const [error, isRevoked] of Object.entries({ invalid_refresh_token: true, invalid_client: false, server_error: false })) {
    it(`treats ${error} as ${isRevoked ? 'the end of the authorization' : 'a temporary fault'}`, () => {
      expect(plugin.auth.isRevoked({ status: 200, error, body: { error } })).to.equal(isRevoked);
    });
  }

  describe('after authorization', () => {
    it('stores the organization only if the app is installed in all of it', async () => {
      const enterprise = { id: 'E1', name: 'Acme' };
      const found = (raw: Record<string, unknown>) =>
        plugin.connection.afterAuthorization({ ...hookContext().context, tokens: { accessToken: 't', raw } });
      expect(await found({ is_enterprise_install: true, enterprise, team: null })).to.deep.equal({ organization_id: 'E1' });
      expect(await found({ is_enterprise_install: false, enterprise, team: { id: 'T1' } })).to.deep.equal({});
      expect(await found({})).to.deep.equal({});
    });
  });

  describe('webhooks', () => {
    it('verifies the documented example and reads its form', () => {
      const [rule] = plugin.webhook.signature;
      const { timestamp, signature, body, secret } = DOCUMENTED;
      const headers = { ...FORM, 'x-slack-request-timestamp': timestamp, 'x-slack-signature': signature };
      const webhook = incomingWebhook({ headers, body });
      expect(isHmacValid(rule, webhook, secret)).to.equal(true);
      expect(isTimely(rule, webhook, new Date((Number(timestamp) + 300) * 1000))).to.equal(true);
      expect(isTimely(rule, webhook, new Date((Number(timestamp) + 301) * 1000))).to.equal(false);
      const later = { ...headers, 'x-slack-request-timestamp': String(Number(timestamp) + 1) };
      expect(isHmacValid(rule, { ...webhook, headers: later }, secret)).to.equal(false);

      const [event] = plugin.webhook.events(webhook);
      expect(event).to.deep.include({ type: '/webhook-collect', connections: [teamKey('T1DC2JH3J')] });
      expect(event?.payload).to.deep.include({ text: '', user_name: 'roadrunner' });
    });

    it('repeats the challenge, and nothing else', () => {
      const challenge = '3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P';
      const response = plugin.webhook.handshake(incomingJson({ type: 'url_verification', challenge, token: 'x' }));
      expect(response).to.deep.equal({ status: 200, body: JSON.stringify({ challenge }) });
      const others = [
        { challenge },
        { type: 'event_callback', challenge },
        { type: 'url_verification', challenge: 'x'.repeat(256) },
      ];
      for (const payload of [...others, ...STRANGE_PAYLOADS]) {
        expect(plugin.webhook.handshake(incomingJson(payload))).to.equal(undefined);
      }
    });

    it('reads interactions from a form', () => {
      const payload = { type: 'block_actions', team: { id: 'T1' }, is_enterprise_install: false };
      const body = new URLSearchParams({ payload: JSON.stringify(payload) }).toString();
      const [event] = plugin.webhook.events(incomingWebhook({ headers: FORM, body }));
      expect(event).to.deep.equal({ type: 'block_actions', connections: [teamKey('T1')], payload });
      const broken = plugin.webhook.events(incomingWebhook({ headers: FORM, body: 'payload=%7Bnot-json' }))[0];
      expect(broken).to.deep.equal({ type: undefined, connections: [], payload: { payload: '{not-json' } });
    });

    it('names only the installation that may see the event', () => {
      const payload = {
        type: 'event_callback',
        team_id: 'T1',
        event: { type: 'message' },
        authorizations: [{ enterprise_id: 'E2', team_id: 'T2', is_enterprise_install: false }],
      };
      expect(eventOf(payload)).to.deep.include({ type: 'message', connections: [teamKey('T2')] });
      expect(eventOf({ ...payload, authorizations: [] })?.connections).to.deep.equal([teamKey('T1')]);
      const received = { context_team_id: 'T3', context_enterprise_id: 'E3' };
      expect(eventOf({ ...payload, authorizations: [], ...received })?.connections).to.deep.equal([teamKey('T3')]);
      const ofView = { type: 'view_closed', team: { id: 'T1' }, view: { app_installed_team_id: 'T4' } };
      expect(eventOf(ofView)?.connections).to.deep.equal([teamKey('T4')]);
    });

    it('names an organization only if the app is installed in all of it', () => {
      const authorization = { enterprise_id: 'E1', team_id: null, is_enterprise_install: true };
      expect(eventOf({ team_id: 'T1', authorizations: [authorization] })?.connections).to.deep.equal([organizationKey('E1')]);
      expect(eventOf({ team: null, view: { app_installed_team_id: 'E1' } })?.connections).to.deep.equal([organizationKey('E1')]);
      const command = 'team_id=T1&enterprise_id=E1&is_enterprise_install=true&command=%2Fx';
      expect(plugin.webhook.events(incomingWebhook({ headers: FORM, body: command }))[0]?.connections).to.deep.equal([
        organizationKey('E1'),
      ]);
      expect(eventOf({ team_id: 'T1', enterprise_id: 'E1', is_enterprise_install: false })?.connections).to.deep.equal([
        teamKey('T1'),
      ]);
    });

    it('names no connection for what it does not understand', () => {
      for (const payload of STRANGE_PAYLOADS) {
        expect(plugin.webhook.events(incomingJson(payload)).flatMap(({ connections }) => connections)).to.deep.equal([]);
      }
    });
  });
});
