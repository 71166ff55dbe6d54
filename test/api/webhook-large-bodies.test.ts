import { expect } from 'chai';
import { takeParsingTurn } from '../../core/kit/parsing-turn.ts';
import { signatureOf } from '../support/hooked.ts';
import { HookedApp } from '../support/hooked-app.ts';
import { until } from '../support/until.ts';
import { use } from '../support/use.ts';

const LARGE_BYTES = 1024 * 1024 + 1;
const MEANWHILE = 20;

describe('a webhook with a body above 1 MiB (WHK-06)', function () {
  const hooked = use(this, () => HookedApp.open());
  let parsed: number;
  const { parse } = JSON;

  before(() => {
    JSON.parse = (text, reviver) => {
      if (text.length >= LARGE_BYTES) parsed += 1;
      return parse(text, reviver);
    };
  });
  beforeEach(() => {
    parsed = 0;
  });
  after(() => {
    JSON.parse = parse;
  });

  const large = (facts: object = {}) => ({ ...facts, text: 'x'.repeat(LARGE_BYTES) });

  it('is parsed once, and not before its signature is verified', async () => {
    const forged = signatureOf({ secret: 'another secret' }, 'something else');
    expect((await hooked.deliver(large(), { headers: forged })).status).to.equal(401);
    expect(parsed).to.equal(0);
    expect((await hooked.deliver(large())).status).to.equal(200);
    expect(parsed).to.equal(1);
  });

  it('is parsed first if its secret is that of the connection that it names', async () => {
    const connectionId = await hooked.store({ metadata: { hookSecret: 'of the connection' } });
    const body = large({ keys: [{ by: 'connectionId', value: connectionId }] });
    expect((await hooked.deliver(body, { headers: { 'x-hook-own': '00' } })).status).to.equal(401);
    expect(parsed).to.equal(1);
  });

  it('waits while another one is parsed, without delaying smaller ones', async () => {
    const turn = await takeParsingTurn(LARGE_BYTES);
    let status: number | undefined;
    const waiting = hooked.deliver(large()).then((response) => {
      status = response.status;
    });
    try {
      for (let sent = 0; sent < MEANWHILE; sent += 1) expect((await hooked.deliver()).status).to.equal(200);
      expect([status, parsed]).to.deep.equal([undefined, 0]);
    } finally {
      turn[Symbol.dispose]();
    }
    await until('it is taken', () => status !== undefined);
    await waiting;
    expect([status, parsed]).to.deep.equal([200, 1]);
  });
});
