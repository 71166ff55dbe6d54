import { expect } from 'chai';
import { filesOf, isForNormalUser, LISTS } from '../runner/lanes.ts';

describe('the lanes of the tests', () => {
  const all = filesOf('all');

  for (const [name, starts] of Object.entries(LISTS))
    it(`the list ${name} names only files that exist`, () => {
      expect(starts.filter((start) => !all.some((file) => file.startsWith(start)))).to.deep.equal([]);
    });

  it('are two, and each file is in one of them', () => {
    const both = [...filesOf('gate'), ...filesOf('rest')];
    expect(both).to.have.members([...all]);
  });

  it('keep files that also run as a normal user out of the gate, so that they run once', () => {
    expect(filesOf('gate').filter(isForNormalUser)).to.deep.equal([]);
  });
});
