import { expect } from 'chai';
import { schemaTable } from '../../../../core/server/docs/reference/schema-table.ts';

describe('a schema on the reference page', () => {
  it('says of each member whether it is required, and whether it is deprecated', () => {
    const { text } = schemaTable({
      type: 'object',
      required: ['needed'],
      properties: { needed: { type: 'string' }, free: { type: 'string' }, former: { type: 'string', deprecated: true } },
    });
    const rows = text.split('</div>').filter((row) => row.includes('<dt>'));
    const labels = rows.map((row) => [...row.matchAll(/class="label (\w+)"/g)].map(([, label]) => label));
    expect(labels).to.deep.equal([['required'], [], ['deprecated']]);
  });
});
