import { expect } from 'chai';
import { CLIENT_ID, CLIENT_SECRET, expectRefused, TOKEN, type TokenRow, tokenRow } from '../../support/deviating-tokens.ts';
import { type Deviation, faultsOf } from '../../support/deviation.ts';

const NAME = 'consent-without-code';
const TENANT = { type: 'string', title: 'Tenant', pattern: '[a-z-]+', hidden: true };
const OWN = { tenant: 'tenant-of-ada' };

/** Microsoft: https://learn.microsoft.com/en-us/entra/identity-platform/v2-admin-consent */
const consent: TokenRow = {
  name: NAME,
  members: {
    auth_mode: 'OAUTH2',
    authorization_url: `https://${NAME}.example/$\{connectionConfig.tenant}/adminconsent`,
    omit_params: { authorization: ['response_type'] },
    callback: { grant: 'client_credentials', expect: { admin_consent: 'True', tenant: '${connectionConfig.tenant}' } },
    token_url: `https://${NAME}.example/token/$\{connectionConfig.tenant}`,
    token_params: { scope: 'everything' },
    connection_config: { tenant: TENANT },
  },
  backendSets: OWN,
  callback: { admin_consent: 'True', ...OWN },
  authorizes: { client_id: CLIENT_ID, response_type: null },
  asks: [
    {
      path: '/token/tenant-of-ada',
      params: { grant_type: 'client_credentials', scope: 'everything', client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
    },
  ],
  carries: { authorization: `Bearer ${TOKEN}` },
};

const rows: readonly Deviation[] = [
  tokenRow({
    ...consent,
    hostile: {
      title: 'requests tokens only for the tenant of the session, which neither user nor callback can choose',
      attack: async (scene) => {
        const { backendSets: _, ...unset } = consent;
        const eve = { tenant: 'tenant-of-eve' };
        for (const attempt of [
          { ...consent, callback: { admin_consent: 'True', ...eve } },
          { ...consent, callback: { admin_consent: 'True' } },
          { ...consent, callback: { code: 'stolen', ...OWN } },
          { ...unset, callback: { admin_consent: 'True', ...eve } },
          { ...unset, callback: { admin_consent: 'True', ...eve }, params: eve },
        ])
          expect(await expectRefused(scene, attempt)).to.deep.equal([]);
        for (const careless of [
          { connection_config: { tenant: { ...TENANT, hidden: false } } },
          { connection_config: { tenant: { ...TENANT, automated: true } }, redirect_uri_metadata: ['tenant'] },
        ])
          expect(faultsOf({ name: NAME, members: { ...consent.members, ...careless } })).to.match(/decides whose tokens/);
      },
    },
  }),
];

export default rows;
