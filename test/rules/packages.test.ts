import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/source-files.ts';

interface LockedPackage {
  readonly hasInstallScript?: boolean;
  /** True if `npm ci --omit=dev` does not install the package. */
  readonly dev?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(join(projectFolder, name), 'utf8'));
const PACKAGES: Readonly<Record<string, LockedPackage>> = read('package-lock.json').packages;

describe('packages with an install script', () => {
  it('are exactly those that package.json allows by name, since npm ci warns about any other', () => {
    const withScript = Object.entries(PACKAGES).filter(([path, { hasInstallScript }]) => path !== '' && hasInstallScript);
    const names = withScript.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    expect(read('package.json').allowScripts).to.deep.equal(Object.fromEntries(names.map((name) => [name, true])));
  });
});

describe('what `npm ci --omit=dev` installs', () => {
  const installs = (name: string) => PACKAGES[`node_modules/${name}`]?.dev !== true;

  it('holds Rolldown, for `svc scripts deploy`, and nothing that only builds pages', () => {
    const names = ['rolldown', 'vite', 'lightningcss', 'postcss', 'preact'];
    expect(names.filter((name) => !(`node_modules/${name}` in PACKAGES))).to.deep.equal([]);
    expect(names.filter(installs)).to.deep.equal(['rolldown']);
  });
});

describe('the guide about traces', () => {
  it('installs the versions of the packages that are tested', () => {
    const { peerDependencies, devDependencies } = read('package.json');
    const packages = Object.entries(peerDependencies).map(([name, version]) => `${name}@${version}`);
    const commands = readFileSync(join(projectFolder, 'docs/monitoring.md'), 'utf8').match(/npm install --prefix .*/g) ?? [];
    expect(commands.map((command) => command.split(' ').slice(4))).to.deep.equal([packages, packages]);
    expect(devDependencies).to.include(peerDependencies);
  });
});
