import { expect } from 'chai';
import { lineDiff } from '../../../ui/dashboard/pages/scripts/line-diff.ts';

const shown = (before: string, after: string) => lineDiff(before, after).map(({ sign, text }) => `${sign}${text}`);

describe('lines that differ between two versions of a script', () => {
  for (const { name, before, after, lines } of [
    { name: 'the same', before: 'a\nb', after: 'a\nb', lines: [' a', ' b'] },
    { name: 'one changed', before: 'a\nb\nc', after: 'a\nx\nc', lines: [' a', '-b', '+x', ' c'] },
    { name: 'one moved', before: 'a\nb\nc\nd', after: 'b\nc\na\nd', lines: ['-a', ' b', ' c', '+a', ' d'] },
    { name: 'a repeated one added', before: 'a\nb', after: 'a\na\nb', lines: [' a', '+a', ' b'] },
    { name: 'an empty end removed', before: 'a\n', after: 'a', lines: [' a', '-'] },
  ])
    it(`are marked: ${name}`, () => {
      expect(shown(before, after)).to.deep.equal(lines);
    });

  it('replace everything between the common ends if there are very many', () => {
    const many = (word: string) => Array.from({ length: 3_000 }, (_, index) => `${word} ${index % 7}`).join('\n');
    const lines = lineDiff(`head\n${many('old')}`, `head\n${many('new')}`);
    expect(lines.map(({ sign }) => sign).join('')).to.equal(` ${'-'.repeat(3_000)}${'+'.repeat(3_000)}`);
  });
});
