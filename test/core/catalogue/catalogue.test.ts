import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readCatalogue } from '../../../core/catalogue/catalogue.ts';
import { makeFolders } from '../../support/folders.ts';

const GOOD = `{
  "display_name": "Acme",
  "docs": "https://docs.acme.example",
  "auth_mode": "API_KEY"
}`;

const withProxy = (member: string) =>
  GOOD.replace('"API_KEY"', `"API_KEY",\n  "proxy": { "base_url": "https://a.example",\n    ${member} }`);

/** Returns the only fault that a broken `acme/provider.json` causes, as `line: reason`. */
async function faultOf(text: string): Promise<string> {
  await using folders = await makeFolders({ 'acme/provider.json': text, 'other/provider.json': GOOD });
  const catalogue = await readCatalogue([folders.path]);
  expect(catalogue.list().map(({ slug }) => slug)).to.deep.equal(['other']);
  expect(catalogue.faults.map(({ folder, file }) => [folder, file])).to.deep.equal([
    ['acme', join(folders.path, 'acme', 'provider.json')],
  ]);
  const [fault] = catalogue.faults;
  return `${fault?.line}: ${fault?.reason}`;
}

const FAULTS: Readonly<Record<string, [string, string]>> = {
  'an unknown member': [GOOD.replace('"docs"', '"docz": 1,\n  "docs"'), '3: unknown property "docz"'],
  'an unknown nested member': [
    GOOD.replace('"API_KEY"', '"API_KEY",\n  "proxy": {\n    "base_url": "https://a.example",\n    "retries": 3 }'),
    '7: unknown property "proxy.retries"',
  ],
  'a member of the wrong kind': [GOOD.replace('"Acme"', '7'), '2: display_name: Invalid input: expected string, received number'],
  'a missing member': [
    GOOD.replace('"Acme",', '"Acme"')
      .replace(/\n.*docs.*/, ',')
      .replace(',,', ','),
    '1: docs: Invalid input: expected string, received undefined',
  ],
  'a word that is none of those allowed': [
    withProxy('"verification": { "method": "PUT", "endpoints": ["/"] }'),
    '6: proxy.verification.method: Invalid option: expected one of "GET"|"POST"|"HEAD"',
  ],
  'a word that is none of those allowed, nor a placeholder': [
    withProxy('"api_key": { "in": "cookie", "name": "X-Key" }'),
    '6: proxy.api_key.in: must be "header", "query" or the placeholder of a setting, ${integrationConfig.<name>}',
  ],
  'a text that has neither of two forms': [
    withProxy('"api_key": { "in": "query", "name": "X Key" }'),
    '6: proxy.api_key.name: must be a header name or the placeholder of a setting, ${integrationConfig.<name>}',
  ],
  'a value of none of the kinds allowed': [
    withProxy('"verification": { "endpoints": ["/"], "expect": { "path": "ok", "equals": [] } }'),
    '6: proxy.verification.expect.equals: must be a string, a number or a boolean',
  ],
  'a list entry that has one of the kinds allowed, but is wrong inside': [
    GOOD.replace('"API_KEY"', '"API_KEY",\n  "default_scopes": [{ "name": 5 }]'),
    '5: default_scopes.0: name: Invalid input: expected string, received number',
  ],
  'a comma too many': [GOOD.replace('"API_KEY"', '"API_KEY",'), '5: is not JSON: an unexpected character'],
  'a file cut short': [GOOD.slice(0, 40), '3: is not JSON: an unexpected end'],
  'text after the end': [`${GOOD}\n[]`, '6: is not JSON: an unexpected character'],
  'a field named twice': [GOOD.replace('"docs"', '"display_name": "B",\n  "docs"'), '3: display_name: this property is repeated'],
  'endless nesting': ['['.repeat(10_000), '1: 0: values may be nested at most 64 levels deep'],
  'an empty file': ['', '1: is not JSON: an unexpected end'],
};

describe('catalogue', () => {
  for (const [fault, [text, expected]] of Object.entries(FAULTS)) {
    it(`leaves out a provider with ${fault}, and reports its line`, async () => {
      expect(await faultOf(text)).to.equal(expected);
    });
  }

  it('leaves out a provider whose file is not UTF-8', async () => {
    await using folders = await makeFolders({ 'acme/provider.json': GOOD });
    await writeFile(join(folders.path, 'acme', 'provider.json'), Buffer.from(GOOD.replace('Acme', 'Acm\u00e9'), 'latin1'));
    const catalogue = await readCatalogue([folders.path]);
    expect(catalogue.faults.map(({ reason }) => reason)).to.deep.equal(['is not valid UTF-8']);
  });

  it('leaves out a folder whose name is no slug', async () => {
    await using folders = await makeFolders({
      'Bad_Name/provider.json': GOOD,
      '-x/provider.json': GOOD,
      '8x8/provider.json': GOOD,
    });
    const catalogue = await readCatalogue([folders.path]);
    expect(catalogue.list().map(({ slug }) => slug)).to.deep.equal(['8x8']);
    expect(catalogue.faults.map(({ folder }) => folder)).to.deep.equal(['-x', 'Bad_Name']);
    expect(catalogue.faults[0]?.reason).to.match(/folder name must be lower-case/);
  });

  it('keeps the first of two providers with one slug', async () => {
    await using first = await makeFolders({ 'acme/provider.json': GOOD });
    await using second = await makeFolders({ 'acme/provider.json': GOOD.replace('Acme', 'Impostor') });
    const catalogue = await readCatalogue([first.path, second.path]);
    expect(catalogue.find('acme')?.definition.display_name).to.equal('Acme');
    expect(catalogue.faults[0]?.reason).to.match(/already taken/);
  });

  it('lets the operator’s provider replace a bundled one, even if it is broken, and reports that', async () => {
    const named = (name: string) => GOOD.replace(/"display_name": *"[^"]*"/, `"display_name": "${name}"`);
    await using own = await makeFolders({ 'acme/provider.json': named('Own'), 'bad/provider.json': '{' });
    const files = Object.fromEntries(['acme', 'bad', 'other'].map((slug) => [`${slug}/provider.json`, named('Bundled')]));
    await using bundled = await makeFolders(files);
    const catalogue = await readCatalogue([own.path], [bundled.path]);
    expect(catalogue.list().map(({ slug, definition }) => `${slug}: ${definition.display_name}`)).to.deep.equal([
      'acme: Own',
      'other: Bundled',
    ]);
    expect(catalogue.faults.map(({ folder }) => folder)).to.deep.equal(['bad']);
    expect(catalogue.replacements.map(({ folder, replaced }) => [folder, replaced])).to.deep.equal([
      ['acme', join(bundled.path, 'acme', 'provider.json')],
      ['bad', join(bundled.path, 'bad', 'provider.json')],
    ]);
  });

  it('reports a directory that cannot be read, and reads the others', async () => {
    await using folders = await makeFolders({ 'acme/provider.json': GOOD });
    const catalogue = await readCatalogue([join(folders.path, 'missing'), folders.path]);
    expect(catalogue.find('acme')).to.not.equal(undefined);
    expect(catalogue.faults.map(({ reason }) => reason)).to.deep.equal(['cannot be read (ENOENT)']);
  });

  it('ignores files, dangling links, hidden folders and folders with only a plugin', async () => {
    await using folders = await makeFolders({ 'README.md': '', '.git/provider.json': '{', 'code/plugin.ts': '' });
    await symlink(join(folders.path, 'gone'), join(folders.path, 'link'));
    const catalogue = await readCatalogue([folders.path]);
    expect([catalogue.list(), catalogue.faults]).to.deep.equal([[], []]);
  });

  it('finds providers by slug and by name, whatever the case', async () => {
    await using folders = await makeFolders({
      'acme/provider.json': GOOD,
      'zeta/provider.json': GOOD.replace('Acme', 'Great Things'),
    });
    const catalogue = await readCatalogue([folders.path]);
    expect(catalogue.list('ACM').map(({ slug }) => slug)).to.deep.equal(['acme']);
    expect(catalogue.list('things').map(({ slug }) => slug)).to.deep.equal(['zeta']);
    expect(catalogue.find('constructor')).to.equal(undefined);
  });

  it('serves a logo of reasonable size, else a monogram', async () => {
    await using folders = await makeFolders({
      'acme/provider.json': GOOD,
      'acme/logo.svg': '<svg/>',
      'huge/provider.json': GOOD,
      'huge/logo.svg': 'x'.repeat(70_000),
      'plain/provider.json': GOOD,
    });
    const catalogue = await readCatalogue([folders.path]);
    expect(String(await catalogue.logo('acme'))).to.equal('<svg/>');
    const monograms = { huge: 'AC', plain: 'AC', unknown: 'UN' };
    for (const [slug, letters] of Object.entries(monograms))
      expect(String(await catalogue.logo(slug)), slug).to.include(`>${letters}</text>`);
  });
});
