import { expect } from 'chai';
import { readBuiltUi } from '../../../../core/server/pages/built-ui.ts';
import { makeFolders } from '../../../support/folders.ts';

const MANIFEST = JSON.stringify({
  folder: 'a',
  files: { 'connect/index.html': {}, 'sdk/v1.js': {} },
  sdk: { version: '1.2.3', integrity: 'sha384-x' },
});
const files = (name: string, text: string) => ({ [name]: text, [`${name}.br`]: `br ${text}`, [`${name}.gz`]: `gz ${text}` });

describe('built files', () => {
  it('are those of the manifest, with both compressed forms', async () => {
    const built = { 'manifest.json': MANIFEST, ...files('a/connect/index.html', 'page'), ...files('a/sdk/v1.js', 'sdk') };
    await using folder = await makeFolders({ ...built, 'a/other.js': 'not listed' });
    const ui = readBuiltUi(folder.path) ?? expect.fail('nothing was read');
    expect([...ui.files.keys()]).to.deep.equal(['connect/index.html', 'sdk/v1.js']);
    const sdk = ui.files.get('sdk/v1.js');
    expect([sdk?.type, String(sdk?.content), String(sdk?.packed.br), String(sdk?.packed.gzip)]).to.deep.equal([
      'text/javascript; charset=utf-8',
      'sdk',
      'br sdk',
      'gz sdk',
    ]);
    expect(ui.sdk.version).to.equal('1.2.3');
  });

  it('are absent before the first build', async () => {
    await using folder = await makeFolders({});
    expect(readBuiltUi(folder.path)).to.equal(undefined);
  });

  it('are never read in part: a missing file or one of an unknown type is an error', async () => {
    await using incomplete = await makeFolders({ 'manifest.json': MANIFEST, ...files('a/connect/index.html', 'page') });
    expect(() => readBuiltUi(incomplete.path)).to.throw('v1.js');
    const odd = { folder: 'a', files: { 'x.exe': {} } };
    await using unknown = await makeFolders({ 'manifest.json': JSON.stringify(odd), ...files('a/x.exe', 'x') });
    expect(() => readBuiltUi(unknown.path)).to.throw('x.exe: no media type');
  });
});
