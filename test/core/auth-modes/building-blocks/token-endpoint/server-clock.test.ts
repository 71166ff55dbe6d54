import { expect } from 'chai';
import { byOurClock } from '../../../../../core/auth-modes/building-blocks/token-endpoint/server-clock.ts';
import { NOW } from './mode-input.ts';

const MINUTE_MS = 60_000;
const END = new Date(NOW.getTime() + 60 * MINUTE_MS);

/**
 * Returns by how many milliseconds `END` changes when it is converted from the clock of a server to ours. The server sent this
 * `Date` header, which shows the difference of the clocks.
 */
function movedMs(date: string | undefined): number {
  const headers = date === undefined ? {} : { date };
  return byOurClock(END, { receivedAt: NOW, headers }).getTime() - END.getTime();
}
const ahead = (ms: number) => new Date(NOW.getTime() + ms).toUTCString();

describe('a time by the clock of a server', () => {
  it('is moved by the error of that clock', () => {
    for (const minutes of [-60, -1, 1, 60])
      expect(movedMs(ahead(minutes * MINUTE_MS)), `${minutes}`).to.equal(-minutes * MINUTE_MS);
  });

  for (const [what, date] of Object.entries({
    'that is right': ahead(59_000),
    'that is nonsense': ahead(25 * 60 * MINUTE_MS),
    'that cannot be read': 'soon',
    'that is not stated': undefined,
  })) {
    it(`is not moved for a clock ${what}`, () => expect(movedMs(date)).to.equal(0));
  }
});
