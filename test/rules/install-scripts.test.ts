import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/source-files.ts';

const read = (name: string) => JSON.parse(readFileSync(join(projectFolder, name), 'utf8'));

describe('packages with an install script', () => {
  it('are allowed by name in package.json, and no other: of one that is not, npm warns whoever runs npm ci', () => {
    const packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>> = read('package-lock.json').packages;
    const withScript = Object.entries(packages).filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript);
    const names = withScript.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(read('package.json').allowScripts).to.deep.equal(Object.fromEntries(names.map((name) => [name, true])));
  });
});
