import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/source-files.ts';

const text = readFileSync(join(projectFolder, 'core/README.md'), 'utf8');
const FILE = /`([\w./-]+\/[\w.-]+\.(?:ts|tsx|js|cjs|md|env))`/g;
/** A walk that needs more files cannot be read in one sitting. */
const MOST_FILES = 8;

describe('core/README.md', () => {
  it(`describes six walks of at most ${MOST_FILES} files`, () => {
    const [, walks = ''] = /## Six walks\n([\s\S]*?)\n## /.exec(text) ?? [];
    const counts = walks
      .split('\n- ')
      .slice(1)
      .map((walk) => filesIn(walk).length);
    expect(counts).to.have.length(6);
    expect(Math.max(...counts)).to.be.within(2, MOST_FILES);
  });
});

function filesIn(text: string): readonly string[] {
  return [...text.matchAll(FILE)].map(([, file = '']) => file);
}
