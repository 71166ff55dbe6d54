import { expect } from 'chai';
import { csvOf, csvTable } from '../../../ui/dashboard/components/csv.ts';

describe('CSV files', () => {
  it('quote cells with commas, quotes and line breaks, and leave empty what is not known', () => {
    expect(
      csvOf([
        ['a', 'b,c', 'say "no"'],
        ['x\ny', null, -3],
      ]),
    ).to.equal('a,"b,c","say ""no"""\r\n"x\ny",,-3\r\n');
  });

  it('begin with the heads of their columns', () => {
    const columns = { name: ({ name }: { name: string | null }) => name, size: () => 3 };
    expect(csvTable(columns, [{ name: 'Ada' }, { name: null }])).to.equal('name,size\r\nAda,3\r\n,3\r\n');
  });

  for (const text of ['=1+1', '+1', '-1', '@sum', '\tx'])
    it(`hold no formula for a spreadsheet: ${JSON.stringify(text)}`, () => {
      expect(csvOf([[text]])).to.equal(`'${text}\r\n`);
    });
});
