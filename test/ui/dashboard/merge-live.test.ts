import { expect } from 'chai';
import { mergeLive } from '../../../ui/dashboard/pages/logs/merge-live.ts';

const at = (second: number, id = `id-${second}`, summary = '') => ({
  id,
  created_at: `2026-11-25T10:00:${String(second).padStart(2, '0')}.000Z`,
  summary,
});
const ids = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);
const LIST = { rows: [at(9), at(5)], waiting: [] };

describe('a list that a stream updates', () => {
  it('inserts each new row once, by time', () => {
    const news = [at(7), at(11), at(11), at(10)];
    const { rows, waiting } = mergeLive(LIST, { news, isOpen: true, hasMore: true });
    expect(ids(rows)).to.deep.equal(['id-11', 'id-10', 'id-9', 'id-7', 'id-5']);
    expect(waiting).to.deep.equal([]);
  });

  it('updates a changed row in place, and keeps the other row objects', () => {
    const { rows } = mergeLive(LIST, { news: [at(5, 'id-5', 'ended')], isOpen: false, hasMore: true });
    expect(rows[1]?.summary).to.equal('ended');
    expect(rows[0]).to.equal(LIST.rows[0]);
  });

  it('holds back new rows while somebody reads, and all rows after them', () => {
    const first = mergeLive(LIST, { news: [at(10)], isOpen: false, hasMore: true });
    expect(first.rows).to.deep.equal(LIST.rows);
    const second = mergeLive(first, { news: [at(11), at(10, 'id-10', 'ended')], isOpen: true, hasMore: true });
    expect(second.rows).to.deep.equal(LIST.rows);
    expect(second.waiting.map(({ id, summary }) => id + summary)).to.deep.equal(['id-11', 'id-10ended']);
  });

  it('leaves rows older than all loaded ones to the next page, if there is one', () => {
    const news = [at(1)];
    expect(ids(mergeLive(LIST, { news, isOpen: true, hasMore: true }).rows)).to.deep.equal(['id-9', 'id-5']);
    expect(ids(mergeLive(LIST, { news, isOpen: true, hasMore: false }).rows)).to.deep.equal(['id-9', 'id-5', 'id-1']);
    expect(ids(mergeLive({ rows: [], waiting: [] }, { news, isOpen: true, hasMore: false }).rows)).to.deep.equal(['id-1']);
  });
});
