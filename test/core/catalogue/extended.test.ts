import { expect } from 'chai';
import { readCatalogue } from '../../../core/catalogue/catalogue.ts';
import { makeFolders } from '../../support/folders.ts';

const BASE = {
  display_name: 'Acme',
  family: 'acme',
  docs: 'https://docs.acme.example',
  auth_mode: 'API_KEY',
  categories: ['crm', 'email'],
  connection_config: { region: { type: 'string', title: 'Region', enum: ['eu', 'us'] } },
  proxy: { base_url: 'https://${connectionConfig.region}.acme.example', headers: { a: '1', b: '2' } },
};

type Definitions = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

async function read(definitions: Definitions) {
  const files = Object.entries(definitions).map(([slug, text]) => [`${slug}/provider.json`, JSON.stringify(text, null, 1)]);
  await using folders = await makeFolders(Object.fromEntries(files));
  return await readCatalogue([folders.path]);
}

async function faultsOf(definitions: Definitions): Promise<string[]> {
  return (await read(definitions)).faults.map(({ folder, line, reason }) => `${folder}:${line}: ${reason}`);
}

describe('a definition that extends another', () => {
  it('lays objects over objects, and replaces everything else', async () => {
    const over = { proxy: { base_url: 'https://files.acme.example', headers: { b: '3', c: '4' } }, categories: ['storage'] };
    const { find, faults } = await read({ acme: BASE, files: { extends: 'acme', display_name: 'Files', ...over } });
    expect(faults).to.deep.equal([]);
    expect(find('files')?.definition).to.deep.equal({
      ...BASE,
      extends: 'acme',
      display_name: 'Files',
      categories: ['storage'],
      proxy: { base_url: 'https://files.acme.example', headers: { a: '1', b: '3', c: '4' } },
    });
    expect(find('acme')?.definition).to.deep.equal(BASE);
  });

  it('removes what it sets to null', async () => {
    const { find } = await read({ acme: BASE, files: { extends: 'acme', family: null, proxy: { headers: null } } });
    const definition = find('files')?.definition;
    expect(definition).to.not.have.property('family');
    expect(definition?.proxy).to.deep.equal({ base_url: BASE.proxy.base_url });
  });

  it('may extend one that extends a third, in any order of reading', async () => {
    const { find } = await read({ a: { extends: 'b', docs: 'https://a.example' }, b: { extends: 'z', family: 'b' }, z: BASE });
    expect(find('a')?.definition).to.deep.include({ docs: 'https://a.example', family: 'b', extends: 'b', display_name: 'Acme' });
  });

  it('is a provider of its own, with its own slug and logo', async () => {
    const { list, logo } = await read({ acme: BASE, files: { extends: 'acme' } });
    expect(list().map(({ slug }) => slug)).to.deep.equal(['acme', 'files']);
    expect(String(await logo('files'))).to.match(/>[A-Z]{2}<\/text>/);
  });

  for (const [what, files, expected] of [
    ['an unknown base', { files: { extends: 'nobody' } }, ['files:2: extends: there is no provider "nobody"']],
    ['itself', { files: { extends: 'files' } }, ['files:2: extends: "files" extends itself']],
    [
      'a circle',
      { a: { extends: 'b' }, b: { extends: 'a' } },
      ['a:2: extends: "a" extends itself', 'b:2: extends: "b" extends itself'],
    ],
    [
      'a base whose members are wrong here',
      { acme: BASE, files: { docs: 'https://d.example', extends: 'acme', connection_config: null } },
      [
        'files:3: proxy.base_url: "connectionConfig.region" decides the host: it must be a declared field with a pattern, a format or an enum',
      ],
    ],
    [
      'a member of its own that is wrong',
      { acme: BASE, files: { extends: 'acme', docz: 1 } },
      ['files:3: unknown property "docz"'],
    ],
    [
      'no member of prototypes',
      { acme: BASE, files: { extends: 'constructor' } },
      ['files:2: extends: there is no provider "constructor"'],
    ],
  ] as const) {
    it(`says where it is wrong: ${what}`, async () => {
      expect(await faultsOf(files)).to.deep.equal(expected);
    });
  }

  it('has a chain of at most five bases', async () => {
    const chain = Array.from({ length: 7 }, (_, at) => [`p${at}`, at === 0 ? BASE : { extends: `p${at - 1}` }] as const);
    expect(await faultsOf(Object.fromEntries(chain))).to.deep.equal(['p6:2: extends: more than 5 bases']);
  });
});
