import { appendFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { readBuiltUi } from '../../core/server/pages/built-ui.ts';
import { readManifest } from '../../ui/pipeline/manifest.ts';
import { hashOfSources } from '../../ui/pipeline/sources.ts';
import { needNamespaces } from '../support/namespaces.ts';
import { UiProject } from '../support/ui-project.ts';
import { use, useEach } from '../support/use.ts';
import { words } from '../support/words.ts';

/** The limit for a build, which takes half a second on an idle machine. */
const MAX_BUILD_MS = 5 * 5_000;

describe('npm run build:ui, and what npm start does about pages', function () {
  const project = useEach(this, () => UiProject.copy());

  it('builds a fresh checkout in time, and reports the build on standard error', async () => {
    const started = performance.now();
    const { code, stderr } = await project.build();
    expect(code, stderr).to.equal(0);
    expect(performance.now() - started).to.be.below(MAX_BUILD_MS);
    expect(stderr).to.match(/^built ui\/dist in \d+\.\d s\n$/);
    expect([...servedBy(project).files.keys()]).to.include.members(['connect/index.html', 'sdk/v1.js']);
  });

  it('says what to install if the development dependencies are missing', async () => {
    await rm(join(project.path, 'node_modules'));
    const { code, stderr } = await project.build();
    expect(code).to.equal(1);
    expect(stderr).to.match(/^svc: the pages cannot be built: .*run "npm ci" without --omit=dev, or bring ui\/dist .*\n$/);
    expect(await project.built()).to.deep.equal({});
  });

  it('may run several times at once', async () => {
    const ended = await Promise.all([1, 2, 3].map(() => project.build()));
    expect(ended.map(({ code }) => code)).to.deep.equal([0, 0, 0]);
    expect(String(servedBy(project).files.get('connect/index.html')?.content)).to.include('connect/assets/');
    expect(await project.build()).to.deep.equal({ code: 0, stderr: '' });
  });

  it('needs no network', async function () {
    needNamespaces(this, '--net');
    const { code, stderr } = await project.build([], ['unshare', '--net']);
    expect(code, stderr).to.equal(0);
  });
});

describe('npm run build:ui with an existing build', function () {
  const project = use(this, () => UiProject.copy());
  const file = (name: string) => join(project.path, name);
  const isFresh = () => readManifest(file('ui/dist'))?.sources === hashOfSources(project.path);

  before(async () => {
    expect((await project.build()).code).to.equal(0);
  });

  it('leaves a fresh build alone, even without installed packages', async () => {
    const before = await project.built();
    await rename(file('node_modules'), file('no_modules'));
    expect(await project.build()).to.deep.equal({ code: 0, stderr: '' });
    expect(await project.built()).to.deep.equal(before);
    await rename(file('no_modules'), file('node_modules'));
  });

  it('builds again when a source has changed', async () => {
    await appendFile(file('ui/connect/index.html'), '\n');
    expect((await project.build()).stderr).to.include('built ui/dist');
    expect(await project.build()).to.deep.equal({ code: 0, stderr: '' });
  });

  for (const name of words`
    ui/connect/index.html sdk/frontend/src/classic.ts package-lock.json ui/pipeline/bundle.ts core/contract/field-rules.ts
    docs/webhooks.md sdk/node/README.md
  `) {
    it(`is not fresh when ${name} has changed`, async () => {
      const whole = await readFile(file(name));
      expect(isFresh()).to.equal(true);
      await appendFile(file(name), '\n');
      expect(isFresh()).to.equal(false);
      await writeFile(file(name), whole);
    });
  }

  it('is not fresh when a source file was added, but stays fresh when a README was', async () => {
    await writeFile(file('ui/README.md'), 'other words');
    expect(isFresh()).to.equal(true);
    await writeFile(file('ui/connect/added.ts'), 'export {};');
    expect(isFresh()).to.equal(false);
    await rm(file('ui/connect/added.ts'));
    expect(isFresh()).to.equal(true);
  });

  it('always builds on request, and prints sizes and the hash of the SDK', async () => {
    const { stderr } = await project.build(['--always']);
    expect(stderr)
      .to.include('built')
      .and.to.match(/\d+ B gzip {2}connect\/assets\//);
    expect(stderr).to.include(`integrity="${servedBy(project).sdk.integrity}"`);
  });

  it('says which source does not compile, where, and leaves the last build as it is', async () => {
    const before = await project.built();
    const whole = await readFile(file('sdk/frontend/src/classic.ts'));
    await writeFile(file('sdk/frontend/src/classic.ts'), 'const a = 1;\nconst b = ;\n');
    const { code, stderr } = await project.build();
    expect(code).to.equal(1);
    expect(stderr)
      .to.match(/^svc: the pages cannot be built:/)
      .and.to.include('classic.ts:2:11');
    expect(stderr).to.not.include('    at ');
    expect(await project.built()).to.deep.equal(before);
    await writeFile(file('sdk/frontend/src/classic.ts'), whole);
  });

  it('creates scripts without source maps for browsers that support ES 2022', async () => {
    for (const [name, { content }] of servedBy(project).files) expect(String(content), name).to.not.include('sourceMappingURL');
    expect(Object.keys(await project.built()).filter((name) => name.endsWith('.map'))).to.deep.equal([]);
  });
});

function servedBy({ path }: UiProject) {
  return readBuiltUi(join(path, 'ui/dist')) ?? expect.fail('nothing was built');
}
