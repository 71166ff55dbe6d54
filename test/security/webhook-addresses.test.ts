import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { createHook, firstEnvironmentUuid, type Hook, hookSender, makeHooked } from '../support/hooked.ts';
import { type ClientResponse, client } from '../support/http-client.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';

const GUESSES = size(400, 100_000);
const CALLERS = 8;
const PER_MINUTE = 50;
/** Headers that differ between any two responses, even to equal requests. */
const OF_THE_MOMENT = ['svc-request-id', 'date'];

describe('the address of webhooks (WHK-08)', function () {
  const hooked = use(this, makeHooked);
  const app = use(this, () => startApp({ env: { ...hooked.env, SVC_RATE_LIMIT_FAILURES_PER_MINUTE: '0' } }));
  const limited = use(this, () => startApp({ env: { ...hooked.env, SVC_RATE_LIMIT_FAILURES_PER_MINUTE: String(PER_MINUTE) } }));
  this.timeout(size(30_000, 600_000));
  let uuid: string;
  let hook: Hook;

  before(async () => {
    uuid = await firstEnvironmentUuid(app);
    hook = await createHook(app.api, uuid);
  });

  function look({ status, text, headers }: ClientResponse): string {
    const kept = [...headers].filter(([name]) => !OF_THE_MOMENT.includes(name));
    return JSON.stringify([status, text, kept]);
  }

  it(`responds alike to ${GUESSES} guesses, even if parts of them are right`, async () => {
    const api = client(app.url);
    const guesses = [
      () => `/webhook/${randomUUID()}/${hook.key}`,
      () => `/webhook/${uuid}/${randomUUID()}`,
      () => `/webhook/${randomUUID()}/${randomUUID()}`,
      () => `/webhook/no-uuid/${hook.key}`,
      () => `/webhook/${uuid.slice(0, -1)}/${hook.key}`,
    ];
    const responses = new Set<string>();
    const guess = async (caller: number) => {
      for (let turn = caller; turn < GUESSES; turn += CALLERS)
        responses.add(look(await api.post(guesses[turn % guesses.length]?.() ?? '', { turn })));
    };
    await Promise.all(Array.from({ length: CALLERS }, (_, caller) => guess(caller)));
    expect(responses.size).to.equal(1);
    const [status, text] = JSON.parse([...responses][0] ?? '');
    expect([status, JSON.parse(text).error.code]).to.deep.equal([404, 'not_found']);
  });

  it('responds for an integration without forwarding as for one with it', async () => {
    const silent = await createHook(app.api, uuid, { key: 'silent', forward: false });
    const [one, other] = [await hookSender(client(app.url), hook)({ a: 1 }), await hookSender(client(app.url), silent)({ a: 1 })];
    expect(look(one)).to.equal(look(other));
    const unsigned = { secret: undefined };
    const refused = [hook, silent].map((to) => hookSender(client(app.url), { ...to, ...unsigned })({ a: 2 }));
    expect(new Set((await Promise.all(refused)).map(look)).size).to.equal(1);
  });

  it('slows down guessing callers, but no valid webhooks', async () => {
    const own = await createHook(limited.api, await firstEnvironmentUuid(limited));
    const api = client(limited.url);
    const statuses: number[] = [];
    await limited.clock.nextMinute();
    for (let guess = 0; guess < PER_MINUTE * 2; guess += 1)
      statuses.push((await api.post(`/webhook/${randomUUID()}/hook`, {})).status);
    expect(statuses).to.deep.equal([...Array(PER_MINUTE).fill(404), ...Array(PER_MINUTE).fill(429)]);
    expect((await hookSender(api, own)({ a: 1 })).status).to.equal(200);
    const unsigned = await hookSender(api, { ...own, secret: undefined })({ a: 1 });
    expect([unsigned.status, unsigned.headers.has('retry-after')]).to.deep.equal([429, true]);
    await limited.clock.advance(60_000);
    expect((await api.post(`/webhook/${randomUUID()}/hook`, {})).status).to.equal(404);
  });
});
