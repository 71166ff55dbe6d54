import { expect } from 'chai';
import { MUTANTS } from '../mutations/mutants.ts';
import { SOURCE_FOLDERS, sourceFiles } from '../support/source-files.ts';

describe('faults that `npm run test:mutations` plants', () => {
  it('each find the code that they replace exactly once in the whole tree', () => {
    const files = sourceFiles(SOURCE_FOLDERS).filter(({ path }) => !path.startsWith('test/mutations/'));
    const texts = files.map(({ text }) => text);
    const counts = MUTANTS.map(({ name, find }) => [name, texts.reduce((sum, text) => sum + text.split(find).length - 1, 0)]);
    expect(counts.filter(([, count]) => count !== 1)).to.deep.equal([]);
  });
});
