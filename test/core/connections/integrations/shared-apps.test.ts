import { join } from 'node:path';
import { expect } from 'chai';
import { type Catalogue, readCatalogue } from '../../../../core/catalogue/catalogue.ts';
import { exposedApps, readSharedApps, SharedAppsFault } from '../../../../core/connections/integrations/shared-apps.ts';
import { canary, sweep } from '../../../support/canaries.ts';
import { makeFolders } from '../../../support/folders.ts';
import { use } from '../../../support/use.ts';

const OAUTH = { docs: 'https://docs.example', auth_mode: 'OAUTH2', authorization_url: 'https://a.example/authorize' };
const PROVIDERS: Readonly<Record<string, object>> = {
  fixed: { ...OAUTH, display_name: 'Fixed', token_url: 'https://a.example/token' },
  below: {
    ...OAUTH,
    display_name: 'Below',
    token_url: 'https://${connectionConfig.shop}.shops.example/token',
    connection_config: { shop: { type: 'string', title: 'Shop', pattern: '[a-z]+' } },
  },
  open: {
    ...OAUTH,
    display_name: 'Open',
    token_url: 'https://${connectionConfig.host}/token',
    connection_config: { host: { type: 'string', title: 'Host', format: 'hostname' } },
  },
  ending: {
    ...OAUTH,
    display_name: 'Ending',
    token_url: 'https://${connectionConfig.host}.example/a.b.example/token',
    connection_config: { host: { type: 'string', title: 'Host', format: 'hostname' } },
  },
  chosen: {
    ...OAUTH,
    display_name: 'Chosen',
    token_url: 'https://a.example/token',
    integration_config: { refresh_url: { type: 'string', title: 'Refresh URL', format: 'uri', optional: true } },
  },
  discovered: { display_name: 'Discovered', docs: OAUTH.docs, auth_mode: 'OAUTH2', issuer: 'https://a.example' },
  unset: {
    ...OAUTH,
    display_name: 'Unset',
    token_url: 'https://a.example/${integrationConfig.realm}/token',
    integration_config: { realm: { type: 'string', title: 'Realm', optional: true } },
  },
  consented: {
    ...OAUTH,
    display_name: 'Consented',
    token_url: 'https://a.example/${connectionConfig.tenant}/token',
    connection_config: { tenant: { type: 'string', title: 'Tenant', hidden: true } },
    callback: { grant: 'client_credentials' },
  },
  keyed: { display_name: 'Keyed', docs: 'https://docs.example', auth_mode: 'API_KEY' },
};

const secret = canary('shared secret');
const APP = { client_id: 'shared', client_secret: secret, scopes: ['read', 'https://a.example/write'] };

const FILES = Object.entries(PROVIDERS).map(([slug, definition]) => [`${slug}/provider.json`, JSON.stringify(definition)]);

describe('the file of shared apps', function () {
  const folders = use(this, () => makeFolders(Object.fromEntries(FILES)));
  let catalogue: Catalogue;

  before(async () => {
    catalogue = await readCatalogue([folders.path]);
    expect(catalogue.faults).to.deep.equal([]);
  });

  async function read(text: string): Promise<Awaited<ReturnType<typeof readSharedApps>>> {
    await using directory = await makeFolders({ 'apps.json': text });
    return await readSharedApps(join(directory.path, 'apps.json'), catalogue);
  }

  /** Returns the faults that are reported to the operator, and asserts that they contain no secret. */
  async function faultsOf(path: string): Promise<readonly string[]> {
    const fault = await readSharedApps(path, catalogue).catch((error: unknown) => error);
    if (!(fault instanceof SharedAppsFault)) throw new Error('it was taken');
    expect(fault.message).to.contain(path);
    for (const one of fault.faults) expect(fault.message).to.contain(one);
    expect(sweep({ message: fault.message })).to.deep.equal([]);
    return fault.faults;
  }

  async function faultsIn(text: string): Promise<readonly string[]> {
    await using directory = await makeFolders({ 'apps.json': text });
    return await faultsOf(join(directory.path, 'apps.json'));
  }

  it('gives each provider its app', async () => {
    const apps = await read(JSON.stringify({ fixed: APP, below: { ...APP, client_id: 'other', scopes: [] } }));
    expect(Object.fromEntries(apps)).to.deep.equal({
      fixed: { clientId: 'shared', clientSecret: secret, scopes: APP.scopes },
      below: { clientId: 'other', clientSecret: secret, scopes: [] },
    });
  });

  it('may contain no apps', async () => {
    expect((await read('{}')).size).to.equal(0);
  });

  const faults: Readonly<Record<string, readonly [text: string, faults: readonly string[]]>> = {
    'that is empty': ['', ['line 1: is not JSON: an unexpected end']],
    'that is cut off': [`{\n"fixed": {"client_secret": "${secret}`, ['line 2: is not JSON: an unexpected end']],
    'that names a provider twice': ['{"fixed": {},\n"fixed": {}}', ['line 2: fixed: this property is repeated']],
    'that is a list': ['[]', ['line 1: must be an object with provider names as keys']],
    'that is a string': [JSON.stringify(secret), ['line 1: must be an object with provider names as keys']],
    'with an unknown provider': [JSON.stringify({ nobody: APP }), ['line 1, "nobody": there is no such provider']],
    'with a provider named like a member of objects': [
      JSON.stringify({ toString: APP }),
      ['line 1, "toString": there is no such provider'],
    ],
    'with a provider without apps': [
      JSON.stringify({ keyed: APP }),
      ['line 1, "keyed": connections of this provider (API_KEY) do not use an app'],
    ],
    'with an app whose tokens need no code': [
      JSON.stringify({ consented: APP }),
      ['line 1, "consented": each integration names whose tokens are issued, so anyone could name somebody else’s'],
    ],
    'with an app that is a string': [JSON.stringify({ fixed: secret }), ['line 1, "fixed": must be an object']],
    'with a member too many': [
      JSON.stringify({ fixed: { ...APP, secret } }),
      ['line 1, "fixed": may only contain client_id, client_secret and scopes'],
    ],
    'with scopes as a string': [
      JSON.stringify({ fixed: { ...APP, scopes: 'read,write' } }),
      ['line 1, "fixed": scopes must be a list of strings'],
    ],
    'with a scope that is none': [
      JSON.stringify({ fixed: { ...APP, scopes: ['read', 'read write'] } }),
      ['line 1, "fixed": scopes.1 is not a scope'],
    ],
  };
  for (const [what, [text, expected]] of Object.entries(faults)) {
    it(`${what} is refused`, async () => {
      expect(await faultsIn(text)).to.deep.equal(expected);
    });
  }

  it('is refused with every fault at once, each with its line', async () => {
    const text = JSON.stringify({ fixed: { client_id: '', scopes: [] }, nobody: { ...APP, client_secret: 7 } }, null, 1);
    expect(await faultsIn(text)).to.deep.equal([
      'line 2, "fixed": client_id is empty',
      'line 2, "fixed": client_secret must be a string',
      'line 6, "nobody": there is no such provider',
      'line 6, "nobody": client_secret must be a string',
    ]);
  });

  it('is refused when it cannot be read', async () => {
    expect(await faultsOf(join(folders.path, 'nowhere.json'))).to.deep.equal(['the file cannot be read (ENOENT)']);
    expect(await faultsOf(folders.path)).to.deep.equal(['the file cannot be read (EISDIR)']);
  });

  it('names the apps as exposed whose secret goes to a host that the operator does not choose', async () => {
    const slugs = ['fixed', 'below', 'open', 'ending', 'chosen', 'discovered', 'unset'];
    const apps = await read(JSON.stringify(Object.fromEntries(slugs.map((slug) => [slug, APP]))));
    expect(exposedApps(catalogue, apps)).to.deep.equal(['open', 'ending', 'chosen', 'discovered', 'unset']);
  });
});
