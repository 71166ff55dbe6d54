import { join } from 'node:path';
import { expect } from 'chai';
import { readCatalogue } from '../../../../core/catalogue/catalogue.ts';
import { loadPlugins } from '../../../../core/catalogue/plugins/load.ts';
import { joinPlugins } from '../../../../core/catalogue/plugins/plugins.ts';
import { ServiceError } from '../../../../core/errors.ts';
import { makeFolders } from '../../../support/folders.ts';

const PROVIDER = '{ "display_name": "Acme", "docs": "https://docs.acme.example", "auth_mode": "API_KEY" }';
const PLAIN = 'export default { contract: 1 };';
const BUNDLED = join(import.meta.dirname, '../../../../plugins');

const USES_CONTRACT = `
import { PluginError, type ProviderPlugin } from '#contract';
import { answer } from './answer.ts';

export default {
  contract: 1,
  connection: { verify: async (): Promise<void> => { throw new PluginError('invalid_credentials', answer); } },
} satisfies ProviderPlugin;
`;

const BROKEN: Readonly<Record<string, { text: string; line?: number; reason: RegExp }>> = {
  'a syntax error': { text: 'export default {\n  contract: 1,\n  const x\n};', line: 3, reason: /Unexpected token/ },
  'syntax that cannot be stripped': {
    text: '\nenum A { b }\nexport default { contract: 1 };',
    line: 2,
    reason: /enum is not supported/,
  },
  'a name the contract does not export': { text: `\n\nimport { nope } from '#contract';\n${PLAIN}`, line: 3, reason: /nope/ },
  'an error at import': { text: `const a: string[] = [];\na[0].trim();\n${PLAIN}`, line: 2, reason: /undefined/ },
  'a missing file': { text: `import './gone.ts';\n${PLAIN}`, reason: /gone\.ts/ },
  'no default export': { text: 'export const plugin = { contract: 1 };', reason: /must export default/ },
  'another contract': { text: 'export default { contract: 2 };', reason: /must export default \{ contract: 1/ },
  'an unknown part': { text: 'export default { contract: 1, webhooks: {} };', reason: /unknown part: webhooks/ },
  'an unknown member': {
    text: 'export default { contract: 1, connection: { veryfy() {} } };',
    reason: /unknown properties: veryfy/,
  },
  'webhooks without signature rules': {
    text: 'export default { contract: 1, webhook: { signature: [], events: () => [] } };',
    reason: /signature must contain at least one rule/,
  },
  'a signature scheme that does not exist': {
    text: "export default { contract: 1, webhook: { signature: [{ scheme: 'hmca' }], events: () => [] } };",
    reason: /^webhook\.signature\.0\.scheme must be one of 'hmac', 'token', 'custom', 'unverified', 'jwt'$/,
  },
  'a signature header in capitals': {
    text: "export default { contract: 1, webhook: { signature: [{ scheme: 'token', header: 'X-Token' }], events: () => [] } };",
    reason: /webhook\.signature\.0\.header must be a header name in lower case/,
  },
  'a forwarded header in capitals': {
    text: `export default { contract: 1, webhook: { signature: [{ scheme: 'jwt' }], events: () => 1, forwardHeaders: ['A'] } };`,
    reason: /webhook\.forwardHeaders\.0 must be a header name in lower case/,
  },
  'a hook that is no function': {
    text: "export default { contract: 1, connection: { verify: 'yes' } };",
    reason: /^connection\.verify must be a function$/,
  },
  'an answer about renewal, and no renewal': {
    text: 'export default { contract: 1, auth: { refreshable: () => true } };',
    reason: /^auth has `refreshable` without `refresh`$/,
  },
  'a signature of bodies, and no signature': {
    text: 'export default { contract: 1, proxy: { signsBody: () => true } };',
    reason: /^proxy has `signsBody` without `sign`$/,
  },
  'a rule about missing secrets that is misspelt': {
    text: `export default { contract: 1, webhook: { signature: [{ scheme: 'token', header: 'x', secret: { in: 'webhookSecret' },
      withoutSecret: 'refuze' }], events: () => [] } };`,
    reason: /^webhook\.signature\.0\.withoutSecret must be one of 'refuse', 'accept'$/,
  },
  'a member that no rule of its scheme has': {
    text: `export default { contract: 1, webhook: {
      signature: [{ scheme: 'unverified', reason: 'x', header: 'x' }], events() {} } };`,
    reason: /^webhook\.signature\.0 has unknown properties: header$/,
  },
  'an interval that is a text': {
    text: "export default { contract: 1, subscriptions: { renew: { everyDays: '20', run() {} } } };",
    reason: /^subscriptions\.renew\.everyDays must be a number of days$/,
  },
  'several faults': {
    text: 'export default { contract: 1, auth: { refresh: 1 }, proxy: [] };',
    reason: /^auth\.refresh must be a function; proxy must be an object$/,
  },
  'an end of the process at import': { text: `process.exit(0);\n${PLAIN}`, reason: /^ends the process when it is loaded$/ },
};

const CODE_GRANT = {
  auth_mode: 'OAUTH2',
  authorization_url: 'https://acme.example/authorize',
  token_url: 'https://acme.example/token',
};
const APP_GRANT = { ...CODE_GRANT, callback: { grant: 'client_credentials', expect: { tenant: '${connectionConfig.tenant}' } } };
const CUSTOM = { auth_mode: 'CUSTOM' };
const never = (hooks: string, mode: string) => `its plugin has ${hooks}, which ${mode} never calls for this definition`;

interface Hooked {
  readonly members: object;
  readonly hooks: readonly string[];
  /** The reported reason why one of the hooks is never called; undefined if all are called. */
  readonly reason?: string;
}

/** Hooks of a plugin, with properties of a definition because of which svc calls all of them or never calls one. */
const HOOKS: Readonly<Record<string, Hooked>> = {
  'an exchange of codes': { members: CODE_GRANT, hooks: ['exchange', 'refresh', 'refreshable'] },
  'an exchange of codes, and no codes': { members: {}, hooks: ['exchange'], reason: never('auth.exchange', 'API_KEY') },
  'an exchange of codes that only prove the user': {
    members: APP_GRANT,
    hooks: ['exchange', 'refresh'],
    reason: never('auth.exchange', 'OAUTH2'),
  },
  'an exchange of what is entered': { members: {}, hooks: ['authenticate'] },
  'an exchange of what is entered, and no form': {
    members: CODE_GRANT,
    hooks: ['authenticate'],
    reason: never('auth.authenticate', 'OAUTH2'),
  },
  'refreshes of a key that is declared refreshable': { members: {}, hooks: ['refresh', 'refreshable'] },
  'refreshes of a key that is never refreshed': {
    members: {},
    hooks: ['refresh'],
    reason: never('auth.refresh without auth.refreshable', 'API_KEY'),
  },
  'refreshes of credentials that are not tokens': {
    members: CUSTOM,
    hooks: ['refresh', 'refreshable'],
    reason: never('auth.refreshable and auth.refresh', 'CUSTOM'),
  },
};

describe('plugin loader', () => {
  it('loads a plugin from outside the project, contract and neighbouring files included', async () => {
    await using folders = await makeFolders({
      'acme/plugin.ts': USES_CONTRACT,
      'acme/answer.ts': "export const answer: string = 'no';",
    });
    const { plugins, faults } = await loadPlugins([BUNDLED, folders.path]);
    expect(faults).to.deep.equal([]);
    expect(plugins.get('acme')?.connection?.verify).to.be.a('function');
    expect(plugins.has('generic-oauth')).to.equal(true);
  });

  for (const [fault, { text, line, reason }] of Object.entries(BROKEN)) {
    it(`leaves out a plugin with ${fault}, and loads the others`, async () => {
      await using folders = await makeFolders({ 'broken/plugin.ts': text, 'good/plugin.ts': PLAIN });
      const { plugins, faults } = await loadPlugins([folders.path]);
      expect([...plugins.keys()]).to.deep.equal(['good']);
      expect(faults).to.have.length(1);
      expect(faults[0]).to.include({ folder: 'broken', file: join(folders.path, 'broken', 'plugin.ts') });
      expect(faults[0]?.line).to.equal(line);
      expect(faults[0]?.reason).to.match(reason);
    });
  }

  for (const [what, text] of Object.entries({ loops: 'while (true) {}', waits: 'await new Promise(() => undefined);' })) {
    it(`leaves out a plugin that ${what} forever at its top level, within five seconds, and loads the others`, async () => {
      await using folders = await makeFolders({
        'afterwards/plugin.ts': PLAIN,
        'before/plugin.ts': PLAIN,
        'hanging/plugin.ts': `${text}\n${PLAIN}`,
        'late/plugin.ts': PLAIN,
      });
      const begun = performance.now();
      const { plugins, faults } = await loadPlugins([folders.path]);
      expect(performance.now() - begun).to.be.within(3_500, 25_000);
      expect([...plugins.keys()]).to.deep.equal(['afterwards', 'before', 'late']);
      expect(faults.map(({ folder, reason }) => `${folder}: ${reason}`)).to.deep.equal([
        'hanging: was not loaded within 4 s: it loops or waits at its top',
      ]);
    });
  }

  it('lets the operator’s plugin replace a bundled one, even if it is broken, and reports that', async () => {
    await using own = await makeFolders({
      'acme/plugin.ts': 'export default { contract: 1, proxy: {} };',
      'bad/plugin.ts': 'throw 1;',
    });
    await using bundled = await makeFolders({ 'acme/plugin.ts': PLAIN, 'bad/plugin.ts': PLAIN, 'other/plugin.ts': PLAIN });
    const { plugins, faults, replacements } = await loadPlugins([own.path], [bundled.path]);
    expect([...plugins.keys()]).to.deep.equal(['acme', 'other']);
    expect(plugins.get('acme')).to.have.property('proxy');
    expect(faults.map(({ folder }) => folder)).to.deep.equal(['bad']);
    expect(replacements).to.deep.equal(
      ['acme', 'bad'].map((folder) => ({
        folder,
        file: join(own.path, folder, 'plugin.ts'),
        replaced: join(bundled.path, folder, 'plugin.ts'),
      })),
    );
  });

  it('names the imported file that contains the fault', async () => {
    await using folders = await makeFolders({ 'acme/plugin.ts': `import './site.ts';\n${PLAIN}`, 'acme/site.ts': 'const = 1;' });
    const { faults } = await loadPlugins([folders.path]);
    expect(faults[0]).to.include({ file: join(folders.path, 'acme', 'site.ts'), line: 1 });
  });

  it('leaves out a folder whose name is no slug, and the second of two plugins with one name', async () => {
    await using first = await makeFolders({ 'acme/plugin.ts': PLAIN, 'Bad Name/plugin.ts': PLAIN });
    await using second = await makeFolders({ 'acme/plugin.ts': PLAIN });
    const { plugins, faults } = await loadPlugins([first.path, second.path]);
    expect([...plugins.keys()]).to.deep.equal(['acme']);
    expect(faults.map(({ folder, file }) => [folder, file])).to.deep.equal([
      ['Bad Name', join(first.path, 'Bad Name', 'plugin.ts')],
      ['acme', join(second.path, 'acme', 'plugin.ts')],
    ]);
  });
});

describe('plugins of providers', () => {
  const webhook = "{ signature: [{ scheme: 'unverified', reason: slug }], events: () => [] }";

  it("are named by the definition, lie in the provider's own folder, or are the standard one", async () => {
    await using folders = await makeFolders({
      'own/provider.json': PROVIDER,
      'own/plugin.ts': `export default { contract: 1, webhook: ({ slug }) => (${webhook}) };`,
      'named/provider.json': PROVIDER.replace('{', '{ "plugin": "own",'),
      'data/provider.json': PROVIDER,
    });
    const dirs = [BUNDLED, folders.path];
    const plugins = joinPlugins(await readCatalogue(dirs), await loadPlugins(dirs));
    expect(plugins.faults).to.deep.equal([]);
    expect(plugins.webhookRules('own')?.signature[0]).to.include({ reason: 'own' });
    expect(plugins.webhookRules('named')?.signature[0]).to.include({ reason: 'named' });
    expect(plugins.of('named')).to.equal(plugins.of('own'));
    expect(plugins.of('data')).to.equal(plugins.of('generic-oauth'));
    expect(plugins.webhookRules('data')).to.equal(undefined);
  });

  it('are never replaced by the standard one when they are broken or missing', async () => {
    await using folders = await makeFolders({
      'own/provider.json': PROVIDER,
      'own/plugin.ts': 'export default 1;',
      'named/provider.json': PROVIDER.replace('{', '{ "plugin": "gone",'),
    });
    const dirs = [BUNDLED, folders.path];
    const plugins = joinPlugins(await readCatalogue(dirs), await loadPlugins(dirs));
    for (const slug of ['own', 'named', 'unknown']) expect(() => plugins.of(slug)).to.throw(ServiceError);
    expect(plugins.faults.map(({ folder, reason }) => `${folder}: ${reason}`)).to.deep.equal([
      'own: must export default { contract: 1, … }',
      'named: its plugin "gone" is not loaded',
      'own: its plugin "own" is not loaded',
    ]);
    expect(Object.fromEntries(plugins.unusable)).to.deep.equal({
      named: 'its plugin "gone" is not loaded',
      own: 'must export default { contract: 1, … }',
    });
  });

  for (const [what, { members, hooks, reason }] of Object.entries(HOOKS)) {
    it(`${reason === undefined ? 'may have' : 'are rejected with'} ${what}`, async () => {
      await using folders = await makeFolders({
        'acme/provider.json': JSON.stringify({ ...JSON.parse(PROVIDER), ...members }),
        'acme/plugin.ts': `export default { contract: 1, auth: { ${hooks.map((hook) => `${hook}() {}`)} } };`,
        'other/provider.json': PROVIDER,
      });
      const catalogue = await readCatalogue([folders.path]);
      expect(catalogue.faults).to.deep.equal([]);
      const { unusable, faults } = joinPlugins(catalogue, await loadPlugins([BUNDLED, folders.path]));
      expect(Object.fromEntries(unusable)).to.deep.equal(reason === undefined ? {} : { acme: reason });
      expect(faults.map(({ file }) => file)).to.deep.equal(
        reason === undefined ? [] : [join(folders.path, 'acme', 'provider.json')],
      );
    });
  }

  it('serve every auth mode if they are the standard one, whatever hooks it has', async () => {
    await using folders = await makeFolders({
      'acme/provider.json': PROVIDER,
      'generic-oauth/plugin.ts': 'export default { contract: 1, auth: { exchange() {} } };',
    });
    const { unusable } = joinPlugins(await readCatalogue([folders.path]), await loadPlugins([folders.path]));
    expect([...unusable]).to.deep.equal([]);
  });

  it('are also checked for the parts that they create for a provider', async () => {
    await using folders = await makeFolders({
      'made/provider.json': PROVIDER,
      'made/plugin.ts': 'export default { contract: 1, webhook: () => ({ signature: [], events: 1 }) };',
      'thrown/provider.json': PROVIDER,
      'thrown/plugin.ts': 'export default { contract: 1, webhook: () => { throw new Error(import.meta.url); } };',
    });
    const dirs = [BUNDLED, folders.path];
    const { unusable } = joinPlugins(await readCatalogue(dirs), await loadPlugins(dirs));
    expect(Object.fromEntries(unusable)).to.deep.equal({
      made: 'webhook.signature must contain at least one rule; webhook.events must be a function',
      thrown: 'its plugin throws when its webhook part is created',
    });
  });
});
