import { expect } from 'chai';
import { SingleFlight } from '../../../core/kit/single-flight.ts';

describe('SingleFlight', () => {
  it('gives callers of the same key the same response, and other keys their own', async () => {
    const flights = new SingleFlight<string, number>();
    let runs = 0;
    const work = async () => ++runs;
    expect(await Promise.all([flights.run('a', work), flights.run('a', work), flights.run('b', work)])).to.deep.equal([1, 1, 2]);
  });

  it('begins again once the flight has ended', async () => {
    const flights = new SingleFlight<string, number>();
    let runs = 0;
    const work = async () => ++runs;
    expect([await flights.run('a', work), await flights.run('a', work)]).to.deep.equal([1, 2]);
  });

  it('hands a failure to all who joined, and to no one later', async () => {
    const flights = new SingleFlight<string, string>();
    const fail = () => {
      throw new Error('broken');
    };
    const outcomes = await Promise.allSettled([flights.run('a', fail), flights.run('a', fail)]);
    expect(outcomes.map((outcome) => outcome.status)).to.deep.equal(['rejected', 'rejected']);
    expect(await flights.run('a', async () => 'fine')).to.equal('fine');
  });
});
