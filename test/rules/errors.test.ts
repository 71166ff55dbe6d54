import { expect } from 'chai';
import { ERROR_STATUS } from '../../core/errors.ts';
import { sourceFiles } from '../support/source-files.ts';

describe('error codes', () => {
  const code = sourceFiles(['core'])
    .filter(({ path }) => path !== 'core/errors.ts')
    .map(({ text }) => text)
    .join('\n');

  for (const name of Object.keys(ERROR_STATUS)) {
    it(`${name} is used`, () => {
      expect(code).to.contain(`'${name}'`);
    });
  }
});
