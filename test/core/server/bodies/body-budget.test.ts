import { expect } from 'chai';
import { ServiceError } from '../../../../core/errors.ts';
import { BodyBudget, type BodyRoom } from '../../../../core/server/bodies/body-budget.ts';

const MIB = 1024 * 1024;
const stranger = (address: string) => ({ address, isVerified: false });
const known = (address: string) => ({ address, isVerified: true });

/** Adds the name to `admitted` once the body is admitted, or the name and `refused` once it is refused. */
function follow(admitted: string[], name: string, wait: Promise<void> | undefined): void {
  if (wait === undefined) admitted.push(name);
  else wait.then(() => admitted.push(name)).catch(() => admitted.push(`${name} refused`));
}

const nextTurn = () => new Promise(setImmediate);

describe('the budget of bodies', () => {
  it('is 64 MiB, or three times the largest body', () => {
    for (const [largestMib, totalMib] of [
      [10, 64],
      [32, 96],
    ] as const) {
      const budget = new BodyBudget({ largestBytes: largestMib * MIB });
      const rooms = Array.from({ length: totalMib }, (_, at) => budget.open(known(`192.0.2.${at}`)));
      expect(rooms.map((room) => room.reserve(MIB))).to.deep.equal(rooms.map(() => undefined));
      const further = budget.open(known('198.51.100.1'));
      const wait = further.reserve(MIB);
      expect(wait).to.be.instanceOf(Promise);
      wait?.catch(() => undefined);
    }
  });

  it('gives half to unverified senders and a quarter to one address, and always has room for a single body', () => {
    const budget = new BodyBudget({ largestBytes: 10 * MIB, waitMs: 1 });
    const isAtOnce = (room: BodyRoom, mib: number) => {
      const wait = room.reserve(mib * MIB);
      wait?.catch(() => undefined);
      return wait === undefined;
    };
    const rooms = ['a', 'b'].map((address) => budget.open(stranger(address)));
    expect(rooms.map((room) => isAtOnce(room, 16))).to.deep.equal([true, true]);
    expect(isAtOnce(budget.open(stranger('c')), 1), 'more from unverified senders').to.equal(false);
    expect(isAtOnce(budget.open(known('d')), 16), 'a verified sender').to.equal(true);
    expect(isAtOnce(budget.open(known('d')), 1), 'more from the same address').to.equal(false);
    rooms[0]?.markVerified();
    expect(isAtOnce(budget.open(stranger('c')), 15), 'once one of them is verified').to.equal(true);

    const empty = new BodyBudget({ largestBytes: 32 * MIB });
    expect(isAtOnce(empty.open(stranger('a')), 32)).to.equal(true);
  });

  it('counts the addresses of one IPv6 network as one', () => {
    const budget = new BodyBudget({ largestBytes: 10 * MIB, waitMs: 1 });
    expect(budget.open(known('2001:db8:0:1::5')).reserve(16 * MIB)).to.equal(undefined);
    expect(budget.open(known('2001:db8:0:2::5')).reserve(16 * MIB)).to.equal(undefined);
    const same = budget.open(known('2001:db8::1:ffff:0:0:9')).reserve(MIB);
    expect(same).to.be.instanceOf(Promise);
    same?.catch(() => undefined);
  });

  it('counts small bodies, too, each as at least a kibibyte', () => {
    const budget = new BodyBudget({ largestBytes: 10 * MIB, waitMs: 1 });
    const rooms = Array.from({ length: 16 * 1024 }, () => budget.open(stranger('a')));
    expect(rooms.filter((room) => room.reserve(1) !== undefined)).to.have.length(0);
    const further = budget.open(stranger('a')).reserve(1);
    expect(further, 'a quarter is full').to.be.instanceOf(Promise);
    further?.catch(() => undefined);
    expect(budget.open(stranger('b')).reserve(1), 'another address').to.equal(undefined);
    rooms[0]?.[Symbol.dispose]();
    expect(rooms[1]?.reserve(1024), 'the body holds that much already').to.equal(undefined);
  });

  it('admits first the bodies whose address holds the least, then in the order of arrival', async () => {
    const budget = new BodyBudget({ largestBytes: 10 * MIB });
    const admitted: string[] = [];
    const flooding = ['a', 'b', 'c'].map((address) => budget.open(stranger(address)));
    for (const room of flooding) follow(admitted, 'flood', room.reserve(10 * MIB));
    for (const name of ['more', 'still more']) follow(admitted, name, budget.open(stranger('a')).reserve(3 * MIB));
    follow(admitted, 'honest', budget.open(stranger('honest')).reserve(10 * MIB));
    expect(admitted).to.deep.equal(['flood', 'flood', 'flood']);
    flooding[1]?.[Symbol.dispose]();
    await nextTurn();
    expect(admitted.slice(3)).to.deep.equal(['honest']);
    flooding[2]?.[Symbol.dispose]();
    await nextTurn();
    expect(admitted.slice(4)).to.deep.equal(['more', 'still more']);
  });

  it('does not let a small body overtake one that waits for room in the total', async () => {
    const budget = new BodyBudget({ largestBytes: 10 * MIB });
    const admitted: string[] = [];
    const holding = Array.from({ length: 8 }, (_, at) => budget.open(known(`h${at}`)));
    for (const room of holding) expect(room.reserve(7 * MIB)).to.equal(undefined);
    follow(admitted, 'large', budget.open(known('a')).reserve(10 * MIB));
    follow(admitted, 'small', budget.open(known('b')).reserve(MIB));
    holding[0]?.[Symbol.dispose]();
    await nextTurn();
    expect(admitted).to.deep.equal(['large', 'small']);
  });

  it('lets the oldest body of unknown length overtake one that waits for room in the total', async () => {
    const budget = new BodyBudget({ largestBytes: 10 * MIB });
    const admitted: string[] = [];
    const growing = Array.from({ length: 8 }, (_, at) => budget.open(known(`g${at}`)));
    for (const room of growing) expect(room.reserveMore(8 * MIB)).to.equal(undefined);
    follow(admitted, 'large', budget.open(known('a')).reserve(10 * MIB));
    for (const [at, room] of growing.entries()) follow(admitted, `growing ${at}`, room.reserveMore(9 * MIB));
    await nextTurn();
    expect(admitted).to.deep.equal(['growing 0']);
  });

  it('gives nothing to a body that ended while it waited', async () => {
    const budget = new BodyBudget({ largestBytes: 10 * MIB });
    const [first, ...others] = ['a', 'b', 'c', 'd'].map((address) => budget.open(known(address)));
    for (const room of [first, ...others]) expect(room?.reserveMore(16 * MIB)).to.equal(undefined);
    const ended = budget.open(known('e'));
    const admitted: string[] = [];
    follow(admitted, 'ended', ended.reserveMore(16 * MIB));
    ended[Symbol.dispose]();
    first?.[Symbol.dispose]();
    await nextTurn();
    follow(admitted, 'next', budget.open(known('f')).reserve(16 * MIB));
    expect(admitted).to.deep.equal(['next']);
  });

  it('refuses with Retry-After after the longest wait', async () => {
    const budget = new BodyBudget({ largestBytes: 10 * MIB, waitMs: 10 });
    void budget.open(stranger('a')).reserve(16 * MIB);
    const fault = await budget
      .open(stranger('a'))
      .reserve(MIB)
      ?.catch((error: unknown) => error);
    if (!(fault instanceof ServiceError)) throw new Error('not refused');
    expect([fault.code, fault.status, fault.retryAfterSeconds]).to.deep.equal(['overloaded', 503, 10]);
  });

  it('always admits more of the oldest body of unknown length', async () => {
    const budget = new BodyBudget({ largestBytes: 10 * MIB });
    const admitted: string[] = [];
    const [first, second] = [budget.open(stranger('a')), budget.open(stranger('a'))];
    for (let mib = 1; mib <= 8; mib += 1) {
      follow(admitted, `first ${mib}`, first?.reserveMore(mib * MIB));
      follow(admitted, `second ${mib}`, second?.reserveMore(mib * MIB));
    }
    expect(admitted).to.have.length(16);
    follow(admitted, 'second', second?.reserveMore(9 * MIB));
    follow(admitted, 'first', first?.reserveMore(9 * MIB));
    await nextTurn();
    expect(admitted.slice(16)).to.deep.equal(['first']);
    first?.[Symbol.dispose]();
    await nextTurn();
    expect(admitted.slice(17)).to.deep.equal(['second']);
  });
});
