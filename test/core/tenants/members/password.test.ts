import { expect } from 'chai';
import { verifyPassword } from '../../../../core/tenants/members/password.ts';
import { canary } from '../../../support/canaries.ts';

/** A hash that no password matches and that takes almost no time to check. */
const CHEAP = `scrypt$16$8$1$${'a'.repeat(22)}$${'a'.repeat(43)}`;

describe('checking passwords', () => {
  it('lets a bounded number wait, and refuses the others at once', async () => {
    const tries = Array.from({ length: 100 }, (_, index) => verifyPassword(canary(`password ${index}`), CHEAP));
    const ends = await Promise.allSettled(tries);
    const refused = ends.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(ends.filter(({ status }) => status === 'fulfilled').length).to.be.within(40, 45);
    expect(refused.length).to.be.at.least(55);
    for (const error of refused) expect(error).to.include({ code: 'overloaded', retryAfterSeconds: 10 });
    expect(await verifyPassword(canary('password afterwards'), CHEAP)).to.equal(false);
  });
});
