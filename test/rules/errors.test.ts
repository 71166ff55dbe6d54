import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { describeErrors } from '../../core/cli/error-list.ts';
import { ERROR_STATUS } from '../../core/errors.ts';
import { sourceFiles } from '../support/source-files.ts';

/** The table of error codes, and the file with their descriptions: a code that only they mention is never returned. */
const ABOUT_CODES = ['core/errors.ts', 'core/error-meanings.ts'];

describe('error codes', () => {
  const code = sourceFiles(['core'])
    .filter(({ path }) => !ABOUT_CODES.includes(path))
    .map(({ text }) => text)
    .join('\n');

  for (const name of Object.keys(ERROR_STATUS)) {
    it(`${name} is returned somewhere, not only compared with`, () => {
      expect(code).to.match(new RegExp(`(?<!(?:===|!==|case|\\|) )'${name}'`));
    });
  }

  it('are listed for people, each with its status and meaning', () => {
    const listed = readFileSync(new URL('../../docs/errors.md', import.meta.url), 'utf8');
    expect(listed, 'run npm run schema').to.equal(describeErrors());
    const sections = listed.split('\n## Status ').slice(1);
    for (const [name, status] of Object.entries(ERROR_STATUS)) {
      const section = sections.find((one) => one.startsWith(`${status}\n`)) ?? '';
      expect(section).to.match(new RegExp(`^### \`${name}\`\n\n[A-Z].{8,}\\.\n\n\\*\\*What to do:\\*\\* [A-Z].{8,}\\.$`, 'm'));
    }
  });
});
