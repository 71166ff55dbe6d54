import { expect } from 'chai';
import { FAULT_CAUSES } from '../../../scripts-runtime/protocol.ts';
import { KILLS } from '../../../scripts-runtime/script-run.ts';
import { causeWords } from '../../../ui/dashboard/pages/scripts/cause-words.ts';

const UNSTARTED = ['timeout_waiting', 'queue_full', 'unavailable', 'closed'];

describe('why a run of a script did not complete', () => {
  for (const cause of new Set([...FAULT_CAUSES, ...KILLS, ...UNSTARTED]))
    it(`is explained in words: ${cause}`, () => expect(causeWords(cause)).to.match(/^[A-Z].+ .+\.$/));

  it('is shown literally if a newer service has more causes', () => expect(causeWords('of_tomorrow')).to.equal('of_tomorrow'));
});
