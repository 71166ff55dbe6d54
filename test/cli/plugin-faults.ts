const URLS = { authorization_url: 'https://acme.example/authorize', token_url: 'https://acme.example/token' };
export const OAUTH2 = {
  display_name: 'Acme',
  docs: 'https://acme.example/docs',
  auth_mode: 'OAUTH2',
  ...URLS,
  proxy: { base_url: 'https://api.acme.example', verification: { endpoints: ['/me'] } },
};
const KEY = { ...OAUTH2, auth_mode: 'API_KEY', authorization_url: undefined, token_url: undefined };
const REGION = { type: 'string', title: 'Region', example: 'eu', pattern: '[a-z]{2}' };
export const SIGNED = {
  signature: { scheme: 'hmac', header: 'x-acme-signature', encoding: 'hex' },
  events: { type: 'body.type' },
};
/** A handshake that echoes the challenge only to a sender who knows the webhook secret. */
export const HANDSHAKE = {
  method: 'GET',
  when: [{ path: 'query.token', equals: '${webhookSecret}' }],
  echo: 'query.challenge',
  as: 'text',
};

export const json = (definition: unknown): string => JSON.stringify(definition, null, 2);
const plugin = (...lines: readonly string[]): string =>
  ["import { PluginError } from '#contract';", 'void PluginError;', ...lines].join('\n');

interface Fault {
  readonly 'provider.json'?: string;
  readonly 'plugin.ts'?: string;
  readonly 'webhook-case.ts'?: string;
  readonly 'rehearsal.json'?: string;
  readonly step: string;
  readonly says: RegExp;
  readonly advises?: RegExp;
  /**
   * The file that contains the fault; by default `provider.json`. `at` is the text of the line at fault; without it, the report
   * names no line.
   */
  readonly in?: 'plugin.ts' | 'webhook-case.ts' | 'rehearsal.json';
  readonly at?: string;
}

export const WEBHOOK_CASE = (changes: string): string => `
import { createHmac } from 'node:crypto';
export default {
  secret: 'webhookSecret', connection: { metadata: { account: 'a1' } }, signatureHeaders: ['x-acme-signature'], types: ['paid'],
  deliver: ({ secret, isKnown }) => {
    const body = JSON.stringify({ type: 'paid', account: isKnown ? 'a1' : 'a2' });
    const digest = createHmac('sha256', secret).update(body).digest('hex');
    return { headers: { 'content-type': 'application/json', 'x-acme-signature': digest }, body };
  },
  ${changes}
};
`;
export const EVENTS = { type: 'body.type', connection: [{ by: 'metadata', field: 'account', path: 'body.account' }] };

/** For each kind of fault, a folder that contains it and the message that its author gets. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'a definition without its token_url': {
    'provider.json': json({ ...OAUTH2, token_url: undefined }),
    step: 'loading',
    says: /token_url is required for OAUTH2/,
    at: '{',
  },
  'a definition that is not JSON': {
    'provider.json': '{\n  "display_name": "Acme",\n  oops\n}',
    step: 'loading',
    says: /is not JSON/,
    at: 'oops',
  },
  'a plugin that cannot be parsed': {
    'provider.json': json(OAUTH2),
    'plugin.ts': plugin('export default { contract: 1', '  connection = 2 };'),
    step: 'loading',
    says: /./,
    in: 'plugin.ts',
    at: 'connection = 2',
  },
  'a template that names no field': {
    'provider.json': json({
      ...OAUTH2,
      connection_config: { region: REGION },
      token_params: { r: '${connectionConfig.regoin}' },
    }),
    step: 'templates',
    says: /nothing fills \$\{connectionConfig\.regoin\}/,
    advises: /did you mean \$\{connectionConfig\.region\}/,
    at: '"r":',
  },
  'a handshake that expects a setting that is not there': {
    'provider.json': json({
      ...OAUTH2,
      webhook: { handshake: [{ ...HANDSHAKE, when: [{ path: 'query.token', equals: '${integration.check_token}' }] }] },
    }),
    step: 'templates',
    says: /nothing fills \$\{integration\.check_token\}/,
    at: '"equals"',
  },
  'an example that its field does not admit': {
    'provider.json': json({ ...OAUTH2, connection_config: { region: { ...REGION, example: 'Europe' } } }),
    step: 'authorization',
    says: /not allowed by the field itself/,
    advises: /`example`/,
    at: '"example"',
  },
  'a verification endpoint that is not below the base URL': {
    'provider.json': json({ ...KEY, proxy: { ...KEY.proxy, verification: { endpoints: ['https://acme.example/me'] } } }),
    step: 'verification',
    says: /is not below the base URL/,
    advises: /write the path only/,
    at: '"endpoints"',
  },
  'a key that calls do not carry': {
    'provider.json': json({
      ...KEY,
      proxy: { ...KEY.proxy, headers: { 'x-api-key': 'fixed', authorization: '${apiKey}' }, query: { a: 'b' } },
    }).replace('"${apiKey}"', '"Token"'),
    step: 'verification',
    says: /arrived without the credentials/,
    advises: /\$\{apiKey\}/,
    at: '"verification"',
  },
  'a hook that throws': {
    'provider.json': json(OAUTH2),
    'plugin.ts': plugin(
      'const verify = async () => {',
      "  throw new TypeError('oops');",
      '};',
      'export default { contract: 1, connection: { verify } };',
    ),
    step: 'account',
    says: /connection\.verify threw: oops/,
    in: 'plugin.ts',
    at: 'oops',
  },
  'a hook that returns the wrong shape': {
    'provider.json': json(OAUTH2),
    'plugin.ts': plugin(
      "const afterAuthorization = async () => 'team';",
      'export default {',
      '  contract: 1,',
      '  connection: { afterAuthorization },',
      '};',
    ),
    step: 'account',
    says: /connection\.afterAuthorization must return an object.*returned a string/,
    in: 'plugin.ts',
    at: 'connection: {',
  },
  'a hook that reads tokens and finds none': {
    'provider.json': json(OAUTH2),
    'plugin.ts': plugin('export default {', '  contract: 1,', '  auth: { readTokens: (body) => ({ token: body.token }) },', '};'),
    step: 'exchange',
    says: /auth\.readTokens must return tokens.*an object with token/,
    in: 'plugin.ts',
    at: 'readTokens',
  },
  'a hook that asks for what nobody has described': {
    'provider.json': json(OAUTH2),
    'plugin.ts': plugin(
      'const afterAuthorization = async ({ fetch }) => {',
      "  const response = await fetch('https://api.acme.example/teams');",
      '  return { team: (await response.json()).teams[0].id };',
      '};',
      'export default { contract: 1, connection: { afterAuthorization } };',
    ),
    step: 'account',
    says: /Cannot read properties of undefined/,
    advises: /GET https:\/\/api\.acme\.example\/teams was answered with \{\}: .*rehearsal\.json/,
    in: 'plugin.ts',
    at: 'teams[0]',
  },
  'documented responses of no known form': {
    'provider.json': json(OAUTH2),
    'rehearsal.json': json({ 'GET https://api.acme.example/me': {}, '/teams': {} }),
    step: 'files',
    says: /must be a method and an https: URL/,
    in: 'rehearsal.json',
    at: '/teams',
  },
  'a decoration that leads elsewhere': {
    'provider.json': json(OAUTH2),
    'plugin.ts': plugin(
      "const decorate = (request) => ({ ...request, url: new URL('https://evil.example/') });",
      'export default { contract: 1, proxy: { decorate } };',
    ),
    step: 'proxied call',
    says: /proxy\.decorate/,
    in: 'plugin.ts',
    at: 'proxy: { decorate }',
  },
  'a hook that fails when a connection is deleted': {
    'provider.json': json(OAUTH2),
    'plugin.ts': plugin(
      'const revoke = async () => {',
      "  throw new PluginError('provider_unavailable', 'Acme is away');",
      '};',
      'export default { contract: 1, connection: { revoke } };',
    ),
    step: 'deletion',
    says: /connection\.revoke threw: Acme is away/,
    in: 'plugin.ts',
    at: 'Acme is away',
  },
  'a callback that decides a host': {
    'provider.json': json({
      ...OAUTH2,
      token_url: 'https://${connectionConfig.server}/token',
      redirect_uri_metadata: ['server'],
      connection_config: {
        server: { type: 'string', title: 'Server', example: 'eu.acme.example', format: 'hostname', automated: true },
      },
    }),
    step: 'hostile callback',
    says: /server of the callback can choose the host that secrets are sent to/,
    advises: /connection_config\.server with a `pattern`/,
    at: '"redirect_uri_metadata"',
  },
  'a webhook part that nothing proves': {
    'provider.json': json({ ...OAUTH2, webhook: SIGNED }),
    step: 'webhook',
    says: /there is no webhook-case\.ts/,
    at: '"webhook"',
  },
  'a webhook whose keys find nobody': {
    'provider.json': json({
      ...OAUTH2,
      webhook: { ...SIGNED, events: { ...EVENTS, connection: [{ ...EVENTS.connection[0], field: 'team' }] } },
    }),
    'webhook-case.ts': WEBHOOK_CASE(''),
    step: 'webhook',
    says: /no key matches the connection of the case/,
    at: '"webhook"',
  },
  'a webhook of another name': {
    'provider.json': json({ ...OAUTH2, webhook: { ...SIGNED, events: EVENTS } }),
    'webhook-case.ts': WEBHOOK_CASE("types: ['invoice.paid'],"),
    step: 'webhook',
    says: /the events are \["paid"\], not \["invoice\.paid"\]/,
    at: '"webhook"',
  },
  'a webhook that is accepted unsigned': {
    'provider.json': json(OAUTH2),
    'plugin.ts': plugin(
      'export default {',
      '  contract: 1,',
      '  webhook: {',
      "    signature: [{ scheme: 'custom', secret: { in: 'webhookSecret' }, withoutSecret: 'refuse', isValid: () => true }],",
      "    events: ({ payload }) => [{ type: payload.type, connections: [{ by: 'metadata', field: 'account', value: payload.account }] }],",
      '  },',
      '};',
    ),
    'webhook-case.ts': WEBHOOK_CASE(''),
    step: 'webhook',
    says: /a delivery without its signature is accepted/,
    in: 'plugin.ts',
    at: 'webhook: {',
  },
  'a webhook case that throws': {
    'provider.json': json({ ...OAUTH2, webhook: { ...SIGNED, events: EVENTS } }),
    'webhook-case.ts': "export default { types: [], deliver: 1 };\nthrow new Error('oops');",
    step: 'files',
    says: /oops/,
    in: 'webhook-case.ts',
    at: 'oops',
  },
};
