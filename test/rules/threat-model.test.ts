import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { projectFolder } from '../support/source-files.ts';

/** A row of a table whose last column names a test. */
const ROW = /^\| .* \| `([\w/-]+)` +\|$/gm;
/** A row of any table, apart from its head and the line below that. */
const ANY_ROW = /^\| (?!-|.*\| test +\|$).*\|$/gm;

const text = readFileSync(join(projectFolder, 'docs/threat-model.md'), 'utf8');

describe('the threat model', () => {
  it('names for each attack a test that exists', () => {
    const named = [...text.matchAll(ROW)].map(([, name = '']) => name);
    expect(named)
      .to.have.length([...text.matchAll(ANY_ROW)].length)
      .above(50);
    const isThere = (name: string) =>
      ['test', 'test/core'].some((folder) => existsSync(join(projectFolder, folder, `${name}.test.ts`)));
    expect(named.filter((name) => !isThere(name))).to.deep.equal([]);
  });

  it('says of each attacker what does not stop them', () => {
    const attackers = text.split(/^## /m).slice(1, -1);
    expect(attackers).to.have.length.above(9);
    for (const section of attackers) expect(section).to.contain('\nWhat does not stop them: ');
  });
});
