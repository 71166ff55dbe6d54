import { expect } from 'chai';
import {
  decidingFieldsOf,
  type FormField,
  type HostField,
  type ProviderDefinition,
  type UrlTemplate,
  urlTemplatesOf,
} from '#contract';
import { modeNamed } from '../../core/auth-modes/index.ts';
import { readCatalogue } from '../../core/catalogue/catalogue.ts';
import { DIRS } from './catalogue-cases.ts';

/** URLs that receive no secret of the app: browsers visit them, or requests carry only the user's own credentials. */
const WITHOUT_SECRET = new Set(['authorization_url', 'userinfo_url', 'proxy', 'identity', 'discover', 'mcp_server_url']);
/** Matches a provider's domain as text or in a pattern, such as `.acme.example` or `\.acme\.example`. */
const OWN_DOMAIN = /(?:\\?\.[a-z0-9-]+){2}$/;

describe('the secret of an app', () => {
  it('is sent to no host that a user chooses', async () => {
    const found = (await readCatalogue(DIRS))
      .list()
      .flatMap(({ slug, definition }) => chosenByUsers(definition).map((place) => `${slug}: ${place}`));
    expect(found).to.deep.equal([]);
  });

  const subdomain: FormField = { type: 'string', title: 'Subdomain', pattern: '[a-z]+' };
  const hostname: FormField = { type: 'string', title: 'Host', format: 'hostname' };
  const domain: FormField = { type: 'string', title: 'Domain', pattern: '[a-z]+\\.acme\\.example' };
  const base: ProviderDefinition = { display_name: 'Acme', docs: 'https://acme.example', auth_mode: 'OAUTH2' };
  const withField = (host: string, field: FormField): ProviderDefinition => ({
    ...base,
    token_url: `https://${host}/token`,
    connection_config: { x: field },
  });

  const own: [string, FormField][] = [
    ['${connectionConfig.x}.acme.example', subdomain],
    ['${connectionConfig.x}', domain],
    ['${connectionConfig.x}', { ...hostname, enum: ['eu.example'] }],
  ];
  const free: [string, FormField][] = [
    ['${connectionConfig.x}', hostname],
    ['${connectionConfig.x}', { ...domain, pattern: '[a-z.]+' }],
    ['${connectionConfig.x}.example', subdomain],
    ['acme.${connectionConfig.x}', hostname],
  ];

  it('may be sent to a domain of the provider, and to no broader domain', () => {
    for (const [host, field] of own) expect(chosenByUsers(withField(host, field)), host).to.deep.equal([]);
    for (const [host, field] of free) expect(chosenByUsers(withField(host, field)), host).to.deep.equal(['token_url']);
  });
});

/**
 * Returns which URLs of a definition have hosts that users choose although svc authenticates there with the integration's app.
 */
function chosenByUsers(definition: ProviderDefinition): string[] {
  // With client credentials, the app belongs to the user, so its secret may go where the user wants.
  const isConcerned =
    definition.auth_mode !== 'OAUTH2_CC' && modeNamed(definition.auth_mode).app?.includes('client_secret') === true;
  if (!isConcerned) return [];
  return urlTemplatesOf(definition)
    .filter(({ path: [member] }) => !WITHOUT_SECRET.has(String(member)))
    .filter((url) => decidingFieldsOf(url.template, definition).some((field) => isFree(field, url, definition)))
    .map(({ path }) => path.join('.'));
}

function isFree({ group, field: name }: HostField, { template }: UrlTemplate, definition: ProviderDefinition): boolean {
  const field = definition[group]?.[name];
  if (group === 'integration_config' || field?.enum !== undefined) return false;
  const [host = ''] = template.replace(/^https:\/\//, '').split(/[/?]/, 1);
  return !OWN_DOMAIN.test(host.endsWith('}') ? (field?.pattern ?? '') : (host.split('}').at(-1) ?? ''));
}
