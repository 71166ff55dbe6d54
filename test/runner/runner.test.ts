import { expect } from 'chai';
import { filesToRepeat } from './repeats.ts';
import { type FileResult, tallyOf } from './results.ts';
import { runFiles } from './workers.ts';

const PLANTED = 'test/runner/planted';

async function run(names: readonly string[], { bail = false } = {}): Promise<readonly FileResult[]> {
  const results: FileResult[] = [];
  const ended = (result: FileResult) => {
    results.push(result);
    return !bail || result.failed.length === 0;
  };
  await runFiles({ files: names.map((name) => `${PLANTED}/${name}.ts`), workers: 1, ended });
  return results;
}

describe('the runner of the tests', () => {
  it('records what passed and what failed, with the message', async () => {
    const [passed, failed] = await run(['passes', 'fails']);
    expect(passed).to.deep.include({ passed: ['a planted file passes'], failed: [], failures: '' });
    expect(failed).to.deep.include({ passed: [], failed: ['a planted file fails'] });
    expect(failed?.failures).to.contain('as planted');
    expect(passed?.times.total).to.be.greaterThan(0);
  });

  it('counts a file as failed that ends its process or does not exist, and goes on', async () => {
    const results = await run(['ends', 'missing', 'passes']);
    expect(results.map(({ failed }) => failed.length)).to.deep.equal([1, 1, 0]);
    expect(results[0]?.failures).to.contain('exit code 3');
    expect(tallyOf(results)).to.deep.equal({ passed: 1, failed: 2, skipped: 0 });
  });

  it('stops at the first failure with `bail`', async () => {
    expect(await run(['fails', 'passes'], { bail: true })).to.have.length(1);
  });

  it('repeats up to three failed files, of some folders only', () => {
    const failed = (file: string) => ({ file, failed: ['a title'] });
    const [one, two, three, four] = ['a', 'b', 'c', 'd'].map((name) => failed(`test/browser/${name}.test.ts`));
    if (!one || !two || !three || !four) throw new Error('four are there');
    expect(filesToRepeat([failed('test/api/x.test.ts'), { file: 'test/flows/x.test.ts', failed: [] }])).to.deep.equal([]);
    expect(filesToRepeat([one, two, three])).to.have.length(3);
    expect(filesToRepeat([one, two, three, four])).to.deep.equal([]);
  });
});
