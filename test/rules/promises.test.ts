import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/source-files.ts';

const ROW = /^\| ([A-Z]+-\d{2}) +\|.*\| (`.+`) +\|$/gm;

/** Reads the test files that a table cell names. A name without a folder means the folder of the name before it. */
function testFiles(cell: string): readonly string[] {
  let folder = '';
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => {
    const path = name.includes('/') ? name : join(folder, name);
    folder = dirname(path);
    return `test/${path}.test.ts`;
  });
}

describe('the promises of test/README.md', () => {
  const text = readFileSync(join(projectFolder, 'test/README.md'), 'utf8');
  const rows = [...text.matchAll(ROW)].map(([, name = '', cell = '']) => ({ name, files: testFiles(cell) }));

  it('are at least 50, each with its own ID', () => {
    expect(rows).to.have.length.greaterThan(50);
    expect(new Set(rows.map(({ name }) => name)).size).to.equal(rows.length);
  });

  for (const { name, files } of rows)
    it(`${name} is in a title of each file that proves it`, () => {
      const wrong = files.filter((file) => !existsSync(join(projectFolder, file)) || !titlesOf(file).includes(name));
      expect(wrong).to.deep.equal([]);
    });
});

/** Returns a file without its comment lines. All other lines may hold titles, since functions of the file may build some. */
function titlesOf(file: string): string {
  const lines = readFileSync(join(projectFolder, file), 'utf8').split('\n');
  return lines.filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)).join('\n');
}
