import { expect } from 'chai';
import { CallSlots } from '../../../core/credentials/refreshing.ts';
import { Barrier } from '../../support/scripted-server/barrier.ts';

const CALLS = 10;
const SLOW_CALLS = 40;

describe('slots for calls to one origin', () => {
  it('are ten, and each origin has its own', async () => {
    const slots = new CallSlots({ slowAfterMs: 60_000 });
    const silent = new Barrier();
    const begun = { silent: 0, other: 0 };
    const calls = Array.from({ length: CALLS + 1 }, () =>
      slots.run('https://silent.example', async () => {
        begun.silent += 1;
        await silent.pass();
      }),
    );
    await silent.arrived(CALLS);
    await slots.run('https://other.example', async () => {
      begun.other += 1;
    });
    expect(begun).to.deep.equal({ silent: CALLS, other: 1 });
    silent.open();
    await Promise.all(calls);
    expect(begun.silent).to.equal(CALLS + 1);
  });

  it('are released by calls that take long, as long as no more than forty do', async () => {
    const slots = new CallSlots({ slowAfterMs: 5 });
    const silent = new Barrier();
    let begun = 0;
    const calls = Array.from({ length: CALLS + SLOW_CALLS + 1 }, () =>
      slots.run('https://silent.example', async () => {
        begun += 1;
        await silent.pass();
      }),
    );
    await silent.arrived(CALLS + SLOW_CALLS);
    expect(begun).to.equal(CALLS + SLOW_CALLS);
    silent.open();
    await Promise.all(calls);
    expect(begun).to.equal(CALLS + SLOW_CALLS + 1);
  });

  it('pass on the failure of the work, and are free afterwards', async () => {
    const slots = new CallSlots({ slowAfterMs: 60_000 });
    for (let call = 0; call < CALLS + 1; call += 1) {
      const failed = await slots
        .run('https://a.example', () => Promise.reject(new Error('broken')))
        .catch((error: Error) => error);
      expect(failed).to.have.property('message', 'broken');
    }
  });
});
