import { expect } from 'chai';
import { canary } from '../../support/canaries.ts';
import { connect, TOKEN, type TokenRow, tokenRow } from '../../support/deviating-tokens.ts';
import type { Deviation } from '../../support/deviation.ts';

const password = canary('password of a deviating sign-in');
const CREDENTIALS = {
  username: { type: 'string', title: 'User name' },
  password: { type: 'string', title: 'Password', secret: true },
};
const SENT = { user: '${credentials.username}', secret: '${credentials.password}' };
const HOUR = 3_600;

function signIn(name: string, more: object): Readonly<Record<string, unknown>> {
  return {
    auth_mode: 'TWO_STEP',
    token_url: `https://${name}.example/token`,
    credentials: CREDENTIALS,
    token_params: SENT,
    ...more,
  };
}

/** DocuWare: https://developer.docuware.com/rest/documentation.html */
const stepByStep: TokenRow = {
  name: 'host-by-an-earlier-step',
  members: signIn('host-by-an-earlier-step', {
    token_request_method: 'GET',
    token_params: undefined,
    additional_steps: [
      { token_url: '${steps.0.identity}/token/2', host_pattern: 'host-by-[a-z-]+\\.example', token_params: SENT },
    ],
    token_response: { token: 'access_token' },
  }),
  app: {},
  enters: { username: 'ada', password },
  responds: ({ target }) =>
    target === '/token' ? { body: { identity: 'https://host-by-an-earlier-step.example' } } : { body: { access_token: TOKEN } },
  asks: [
    { method: 'GET', path: '/token', body: '' },
    { path: '/token/2', params: { user: 'ada', secret: password } },
  ],
  carries: { authorization: `Bearer ${TOKEN}` },
};

const rows: readonly Deviation[] = [
  tokenRow({
    ...stepByStep,
    hostile: {
      title: 'is refused if a response may name any host',
      members: { additional_steps: [{ token_url: '${steps.0.identity}/token/2', token_params: SENT }] },
      refusedFor: /host_pattern/,
    },
  }),
  // SAP Business One: https://help.sap.com/docs/SAP_BUSINESS_ONE (Service Layer, login)
  tokenRow({
    name: 'token-in-cookies',
    members: signIn('token-in-cookies', {
      body_format: 'json',
      token_response: { cookies: ['B1SESSION', 'ROUTEID'] },
      token_lifetime: HOUR / 2,
      proxy: { base_url: 'https://token-in-cookies.example', headers: { Cookie: '${accessToken}' } },
    }),
    app: {},
    enters: { username: 'ada', password },
    responds: () => ({ headers: { 'set-cookie': 'B1SESSION=session-1;HttpOnly;Secure, ROUTEID=.node1;path=/b1s' }, body: {} }),
    asks: [{ headers: { 'content-type': 'application/json' }, params: { user: 'ada', secret: password } }],
    carries: { cookie: 'B1SESSION=session-1; ROUTEID=.node1' },
    lifetime: HOUR / 2,
  }),
  // Tableau: https://help.tableau.com/current/api/rest_api/en-us/REST/rest_api_concepts_auth.htm
  tokenRow({
    name: 'nested-parameters',
    members: signIn('nested-parameters', {
      body_format: 'json',
      token_params: { credentials: { ...SENT, site: { contentUrl: 'marketing' }, depth: 2, trusted: false } },
      token_response: {
        token: 'credentials.token',
        token_expiration: 'credentials.remaining',
        token_expiration_strategy: 'expireIn',
      },
    }),
    app: {},
    enters: { username: '${credentials.password}', password },
    responds: () => ({ body: { credentials: { token: TOKEN, remaining: '11:59:30' } } }),
    asks: [
      {
        params: {
          credentials: {
            user: '${credentials.password}',
            secret: password,
            site: { contentUrl: 'marketing' },
            depth: 2,
            trusted: false,
          },
        },
      },
    ],
    carries: { authorization: `Bearer ${TOKEN}` },
    lifetime: 12 * HOUR - 30,
  }),
  // Sage Intacct: https://developer.intacct.com/api/company-console/api-sessions/
  tokenRow({
    name: 'sign-in-by-xml',
    members: signIn('sign-in-by-xml', {
      body_format: 'xml',
      token_params: { request: { login: { '@controlid': 'sign-in', ...SENT } } },
      token_response: { token: 'response.session', error: ['response.error.code'] },
      revoked_codes: ['XL03000006'],
    }),
    app: {},
    enters: { username: 'R&D <Acme>', password },
    responds: () => ({ headers: { 'content-type': 'text/xml' }, body: `<response><session>${TOKEN}</session></response>` }),
    asks: [
      {
        body:
          '<?xml version="1.0" encoding="UTF-8"?><request><login controlid="sign-in"><user>R&amp;D &lt;Acme&gt;</user>' +
          `<secret>${password}</secret></login></request>`,
      },
    ],
    carries: { authorization: `Bearer ${TOKEN}` },
  }),
  tokenRow({
    name: 'sign-in-refused-with-200',
    members: signIn('sign-in-refused-with-200', {
      body_format: 'json',
      token_response: { token: 'data.token', error: ['error.code'] },
      revoked_codes: ['WRONG_PASSWORD'],
    }),
    app: {},
    enters: { username: 'ada', password },
    responds: ({ body }) =>
      body.includes('mallory')
        ? { body: { error: { code: 'WRONG_PASSWORD' }, data: { token: 'not-one' } } }
        : { body: { data: { token: TOKEN } } },
    carries: { authorization: `Bearer ${TOKEN}` },
    hostile: {
      title: 'reads no token from a refusal',
      attack: async (scene) => {
        const entered = { username: 'mallory', password: 'guess' };
        const { status, body } = await connect(scene, {
          name: scene.name,
          members: signIn(scene.name, {}),
          enters: entered,
          carries: {},
        });
        expect([status, body.error.code]).to.deep.equal([400, 'connection_test_failed']);
      },
    },
  }),
];

export default rows;
