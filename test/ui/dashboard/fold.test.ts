import { expect } from 'chai';
import { folded, isFold } from '../../../ui/dashboard/pages/logs/fold.ts';
import { entry } from '../../support/dashboard/log-screens.ts';

const NONE: ReadonlySet<string> = new Set();

describe('repeats in the log', () => {
  const failed = (index: number, connection: string) =>
    entry(index, {
      type: 'refresh',
      status: 'failure',
      summary: 'the provider answered invalid_grant',
      connection_id: connection,
    });
  const entries = [failed(0, 'a'), entry(1, {}), failed(2, 'b'), failed(3, 'a'), entry(4, { summary: 'another' })];

  it('are one entry in the place of the latest, with how often, since when and to how many connections it happened', () => {
    const [first, ...others] = folded(entries, NONE);
    expect(first).to.deep.include({ ...entries[0], times: 3, first: entries[3]?.created_at, connections: 2 });
    expect(others).to.deep.equal([entries[1], entries[4]]);
  });

  it('are entries of their own once they are unfolded', () => {
    const [first] = folded(entries, NONE);
    if (first === undefined || !isFold(first)) throw new Error('nothing was folded');
    expect(folded(entries, new Set([first.key]))).to.deep.equal(entries);
  });

  it('are no repeats if integration, status or words differ', () => {
    const others = [
      entry(0, {}),
      entry(1, { status: 'failure' }),
      entry(2, { provider_config_key: 'x' }),
      entry(3, { summary: '' }),
    ];
    expect(folded(others, NONE)).to.deep.equal(others);
  });
});
