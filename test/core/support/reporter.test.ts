import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const PROJECT = fileURLToPath(new URL('../../../', import.meta.url));
const SKIP = JSON.stringify(new URL('../../support/skip.ts', import.meta.url).href);

const SUITE = `
  const skipBecause = import(${SKIP}).then((skip) => skip.skipBecause);
  describe('outer', () => {
    it('passes', () => {});
    it('fails', () => { throw new Error('on purpose'); });
    it('is skipped', async function () { (await skipBecause)(this, 'no such thing here'); });
    describe('broken', () => {
      before(() => { throw new Error('in a hook'); });
      it('never runs', () => {});
    });
    describe('absent', () => {
      before(async function () { (await skipBecause)(this, 'nothing to test with'); });
      it('a', () => {});
      it('b', () => {});
    });
  });
`;

function runMocha(directory: string, flags: readonly string[]): Promise<string[]> {
  const args = [
    'node_modules/mocha/bin/mocha.js',
    '--no-config',
    '--reporter',
    'test/support/reporter.ts',
    ...flags,
    join(directory, '*.cjs'),
  ];
  const { promise, resolve } = Promise.withResolvers<string[]>();
  execFile(process.execPath, args, { cwd: PROJECT }, (_error, stdout) => resolve(stdout.trimEnd().split('\n')));
  return promise;
}

describe('reporter', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-reporter-'));
    await writeFile(join(directory, 'suite.cjs'), SUITE);
  });
  after(() => rm(directory, { recursive: true }));

  for (const flags of [[], ['--parallel', '--jobs', '2']]) {
    it(`ends with the tally alone on its line, hooks and skips counted ${flags.join(' ')}`, async () => {
      const lines = await runMocha(directory, flags);
      expect(lines.at(-1)).to.equal('1 passed, 2 failed, 3 skipped');
      expect(lines.slice(-4, -1)).to.have.members([
        'SKIPPED: outer is skipped (skipped: no such thing here)',
        'SKIPPED: outer absent (skipped: nothing to test with) a',
        'SKIPPED: outer absent (skipped: nothing to test with) b',
      ]);
    });
  }
});
