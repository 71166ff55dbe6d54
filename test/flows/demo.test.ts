import { expect } from 'chai';
import { connectHeadlessly } from '../../docs/demo/steps.ts';
import { Demo } from '../support/demo.ts';

const STEPS = [
  'Create an integration for the Notes API',
  'Create a connect link for a user',
  'Find the connection by its tag',
  'Read its credentials',
  'Read a note through the proxy: the caller holds no token',
  'Wait until the access token has expired',
  'The external API now refuses that token',
  'Read the credentials again: renewed on the way',
  'It is a new token, and the external API takes it',
  'Read a note through the proxy again',
];

describe('the demo', function () {
  this.timeout(60_000);

  it('goes from nothing to a proxied call with a renewed token by itself', async () => {
    await using demo = new Demo('--headless');
    expect(await demo.exitCode, demo.output).to.equal(0);
    for (const step of STEPS) expect(demo.output).to.contain(`ok      ${step}`);
    expect(demo.output).to.contain('Connect as the user').and.not.contain('FAILED');
  });

  it('waits for a person at the printed link, goes on, and stays until it is told to end', async () => {
    await using demo = new Demo();
    const [link] = await demo.printed(/http\S+\/connect\/l#\S+/);
    await connectHeadlessly(link);
    await demo.printed(/Both keep running/);
    for (const step of STEPS) expect(demo.output).to.contain(`ok      ${step}`);
    await demo[Symbol.asyncDispose]();
    expect(await demo.exitCode).to.equal(0);
  });
});
