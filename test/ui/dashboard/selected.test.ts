import { expect } from 'chai';
import { NOTHING, type Selected, toggled, toggledAll } from '../../../ui/dashboard/pages/connections/selected.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e'];

/** Toggles rows one after the other; a `-` before a key stands for a range that ends there. */
function clicked(...clicks: readonly string[]): Selected {
  return clicks.reduce(
    (selected, click) => toggled(selected, { key: click.replace('-', ''), order: ORDER, isRange: click.startsWith('-') }),
    NOTHING,
  );
}

describe('selected rows', () => {
  const cases: readonly [string, readonly string[], readonly string[]][] = [
    ['a row, and another', ['b', 'd'], ['b', 'd']],
    ['no row that is clicked again', ['b', 'd', 'b'], ['d']],
    ['a range, in either direction', ['b', '-d'], ['b', 'c', 'd']],
    ['a range upwards', ['d', '-b'], ['b', 'c', 'd']],
    ['a range beside others', ['a', 'c', '-e'], ['a', 'c', 'd', 'e']],
    ['what is left after a range is deselected', ['a', '-e', 'b', '-d'], ['a', 'e']],
    ['one row if a range has no beginning', ['-c'], ['c']],
  ];
  for (const [name, clicks, keys] of cases)
    it(`are ${name}: ${clicks.join(' ')}`, () => {
      expect([...clicked(...clicks).keys].toSorted()).to.deep.equal(keys);
    });

  it('are one row if the beginning of a range is not in the list any more', () => {
    const selected = toggled(clicked('e'), { key: 'b', order: ['a', 'b', 'c'], isRange: true });
    expect([...selected.keys]).to.have.members(['b', 'e']);
  });

  it('are all that are loaded, then none', () => {
    const all = toggledAll(clicked('b'), ORDER);
    expect([...all.keys]).to.have.members(ORDER);
    expect(toggledAll(all, ORDER).keys.size).to.equal(0);
    expect(toggledAll(all, [...ORDER, 'f']).keys.size, 'more were loaded').to.equal(6);
  });
});
