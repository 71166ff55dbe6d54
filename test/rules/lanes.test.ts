import { expect } from 'chai';
import { filesOf, isForNormalUser, LISTS } from '../runner/lanes.ts';

describe('the lanes of the tests', () => {
  const all = filesOf('all');

  for (const [name, starts] of Object.entries(LISTS))
    it(`${name} names what is there`, () => {
      expect(starts.filter((start) => !all.some((file) => file.startsWith(start)))).to.deep.equal([]);
    });

  it('are two, and each file is in one of them', () => {
    const both = [...filesOf('gate'), ...filesOf('rest')];
    expect(both).to.have.members([...all]);
  });

  it('hold what runs as a normal user in the rest, so that it runs once', () => {
    expect(filesOf('gate').filter(isForNormalUser)).to.deep.equal([]);
  });
});
