import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { makeFolders } from '../support/folders.ts';
import { expectError } from '../support/std-error.ts';
import { use } from '../support/use.ts';

const PROVIDER = '{ "display_name": "Acme", "docs": "https://docs.acme.example", "auth_mode": "API_KEY" }';

/** Provider folders that the service cannot use: the files of each, and the error message for callers who try to. */
const UNUSABLE: Readonly<Record<string, { files: Readonly<Record<string, string>>; message: RegExp }>> = {
  'wrong-kind': {
    files: { 'provider.json': PROVIDER, 'plugin.ts': "export default { contract: 1, connection: { verify: 'yes' } };" },
    message: /connection\.verify must be a function$/,
  },
  throwing: {
    files: { 'provider.json': PROVIDER, 'plugin.ts': 'throw new Error(import.meta.url);' },
    message: /see the log of the service at its start$/,
  },
  misspelt: { files: { 'provider.json': PROVIDER.replace('docs', 'doc') }, message: /unknown property "doc"|docs: / },
  orphan: {
    files: { 'provider.json': PROVIDER.replace('{', '{ "plugin": "gone",') },
    message: /its plugin "gone" is not loaded$/,
  },
};

describe('providers that could not be loaded', function () {
  const folders = use(this, () => {
    const unusable = Object.entries(UNUSABLE).flatMap(([folder, { files }]) =>
      Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text] as const),
    );
    const usable = { 'github/provider.json': PROVIDER.replace('Acme', 'Our GitHub'), 'good/provider.json': PROVIDER };
    return makeFolders({ ...Object.fromEntries(unusable), ...usable });
  });
  const app = use(this, () => startApp({ env: { SVC_PLUGINS_DIR: folders.path } }));

  for (const [slug, { message: reported }] of Object.entries(UNUSABLE)) {
    it(`are not offered, and refused with the reason: ${slug}`, async () => {
      const { body } = await app.api.get('/providers');
      expect(body.data.map(({ name }: { name: string }) => name))
        .to.include('good')
        .and.not.to.include(slug);
      expectError(await app.api.get(`/providers/${slug}`), 'not_found');
      const refused = await app.api.post('/integrations', { unique_key: slug, provider: slug });
      expectError(refused, 'invalid_body', ['provider']);
      expect(refused.body.error.message)
        .to.match(new RegExp(`^the provider "${slug}" could not be loaded: `))
        .and.to.match(reported);
      expect(refused.text).not.to.contain(folders.path);
    });

    it(`are named in the log at start: ${slug}`, () => {
      const lines = app.logLines.filter((line) => line.includes('a provider or plugin could not be loaded'));
      expect(lines.some((line) => line.includes(`"folder":"${slug}"`) && line.includes(folders.path))).to.equal(true);
    });
  }

  it('do not include a folder with the name of a bundled provider, which it replaces with a notice in the log', async () => {
    expect((await app.api.get('/providers/github')).body.data).to.include({ display_name: 'Our GitHub', auth_mode: 'API_KEY' });
    const notices = app.logLines.filter((line) => line.includes('replaces a bundled provider'));
    expect(notices).to.have.length(1);
    expect(notices[0]).to.contain(`${folders.path}/github/provider.json`);
  });
});
