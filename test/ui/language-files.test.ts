import { join } from 'node:path';
import { expect } from 'chai';
import { languageFiles } from '../../ui/pipeline/language-files.ts';
import { makeFolders } from '../support/folders.ts';

const FILES = {
  'texts/en.ts': "export const en = { hello: 'Hello', bye: 'Bye {name}' };",
  'texts/de.ts': 'export const de = { bye: \'Tschüss {name}\', hello: "Hallo" };',
  'texts/fr.ts': "export const fr = { hello: 'Bonjour' };",
  'texts/pt-br.ts': "export const ptBr = { hello: 'Oi', bye: 'Tchau {name}' };",
};

interface Hooks {
  load(id: string): Promise<string | { readonly code: string } | null> | null;
  transform(code: string, id: string): string | null;
}

describe('the build of languages', () => {
  const { load, transform } = languageFiles() as unknown as Hooks;

  it('ships texts in the order of the English keys, which are in a separate file', async () => {
    await using folder = await makeFolders(FILES);
    const german = await load(join(folder.path, 'texts/de.ts'));
    expect(german).to.match(/export const de = named\(\["Hallo","Tschüss \{name\}"\]\);\n$/);
    expect(await load(join(folder.path, 'texts/pt-br.ts'))).to.include('export const ptBr = named(["Oi","Tchau {name}"])');
    const [, keys = ''] = /from ("[^"]+")/.exec(String(german)) ?? [];
    const listed = transform('list', join(folder.path, 'texts/languages.ts'));
    expect(listed).to.equal(`import ${keys};\nlist`);
    expect(await load(JSON.parse(keys)))
      .to.have.property('code')
      .that.includes('"hello bye"');
  });

  it('fails when a text is missing, and says which', async () => {
    await using folder = await makeFolders(FILES);
    const failed = await load(join(folder.path, 'texts/fr.ts'))?.catch((error: Error) => error.message);
    expect(failed).to.match(/fr\.ts lacks bye$/);
  });

  it('leaves every other file alone', async () => {
    for (const name of ['texts/languages.ts', 'texts/translate.ts', 'shared/en.ts', 'texts/eng.ts'])
      expect(await load(join('/ui/connect', name)), name).to.equal(null);
    expect(transform('code', '/ui/connect/texts/en.ts')).to.equal(null);
  });
});
