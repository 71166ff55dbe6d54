import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { connectHeadlessly } from '../../examples/demo/steps.ts';
import { Bash, bashBlocks } from '../support/bash.ts';
import { Demo } from '../support/demo.ts';
import { projectFolder } from '../support/source-files.ts';

const DOCUMENTS = [
  'README.md',
  'core/README.md',
  'core/architecture.md',
  'docs/command-line.md',
  'docs/migrating-from-public-keys.md',
  'docs/running.md',
  'docs/sandbox.md',
  'docs/scopes.md',
  'docs/scripts.md',
  'docs/security-scope.md',
  'docs/webhooks.md',
  'examples/app/README.md',
  'scripts-runtime/README.md',
  'sdk/node/README.md',
];

const textOf = (path: string) => readFileSync(join(projectFolder, path), 'utf8');

/** Returns the paths in a document: those of links, and those in code quotes that end with a known extension or a slash. */
function namedPaths(text: string): string[] {
  const quoted = [...text.matchAll(/`([a-z0-9.-]+(?:\/[a-z0-9.-]+)*(?:\/|\.(?:ts|cjs|env|md)))`/g)].map(([, path = '']) => path);
  const linked = [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, path = '']) => path);
  return [...new Set([...quoted, ...linked])];
}

describe('the documents', () => {
  for (const document of DOCUMENTS) {
    it(`${document} names only files that exist`, () => {
      const places = ['.', 'core', dirname(document)];
      const missing = namedPaths(textOf(document)).filter(
        (path) => !places.some((place) => existsSync(join(projectFolder, place, path))),
      );
      expect(missing).to.deep.equal([]);
    });
  }

  it('core/architecture.md names many of the files', () => {
    expect(namedPaths(textOf('core/architecture.md'))).to.have.length.greaterThan(40);
  });
});

describe('the first walk of README.md', () => {
  it('goes from a connect link to a proxied call', async function () {
    this.timeout(60_000);
    await using demo = new Demo();
    const [, url = '', key = ''] = await demo.printed(/export SVC_URL=(\S+) SVC_KEY=(\S+)\n/);
    const bash = new Bash({ SVC_URL: url, SVC_KEY: key });
    const [createSession = '', find = '', read = '', call = '', first = '', ...more] = bashBlocks(textOf('README.md'));
    expect(more).to.deep.equal([]);

    const { data } = JSON.parse(await bash.run(createSession));
    await connectHeadlessly({ serviceUrl: url, token: data.token });
    const { connections } = JSON.parse(await bash.run(find));
    expect(connections.map(({ tags }: { tags: unknown }) => tags)).to.deep.equal([{ end_user_id: 'ada' }]);
    expect(JSON.parse(await bash.run(read)).credentials.access_token).to.be.a('string');
    expect(JSON.parse(await bash.run(read, call)).token.number).to.be.above(0);
    expect(JSON.parse(await bash.run(first)).data).to.include({ unique_key: 'github' });
  });
});
