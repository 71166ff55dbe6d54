import { expect } from 'chai';
import { startFakeApplication } from '../../support/fake-application.ts';

describe('fake application', () => {
  it('keeps the bytes it received', async () => {
    await using application = await startFakeApplication();
    await fetch(`${application.url}/hook`, { method: 'POST', body: '{ "a":1 }', headers: { 'webhook-id': 'msg_1' } });
    await application.ledger.arrived('webhook');
    const [entry] = application.ledger.entries;
    expect(entry).to.include({ method: 'POST', target: '/hook', outcome: 'answered', status: 200 });
    expect(entry?.body.toString()).to.equal('{ "a":1 }');
    expect(entry?.headers['webhook-id']).to.equal('msg_1');
  });

  it('fails in a scripted order and then recovers', async () => {
    await using application = await startFakeApplication();
    application.next(
      'webhook',
      { answer: { status: 500 } },
      { delivery: 'reset' },
      { answer: { status: 307, headers: { location: '/x' } } },
    );
    const statuses: unknown[] = [];
    for (let call = 0; call < 4; call += 1) {
      const answer = fetch(application.url, { method: 'POST', body: '{}', redirect: 'manual' });
      statuses.push(await answer.then(({ status }) => status).catch(() => 'reset'));
    }
    expect(statuses).to.deep.equal([500, 'reset', 307, 200]);
  });

  it('hangs until the caller gives up', async () => {
    await using application = await startFakeApplication();
    application.always('webhook', { delivery: 'hang' });
    const leaving = new AbortController();
    const call = fetch(application.url, { signal: leaving.signal }).catch((error: Error) => error.name);
    await application.ledger.arrived('webhook');
    leaving.abort();
    expect(await call).to.equal('AbortError');
    await application.ledger.entries[0]?.ended;
    expect(application.ledger.entries[0]?.outcome).to.equal('unknown');
  });

  it('answers without an end, and slowly, when told to', async () => {
    await using application = await startFakeApplication();
    application.next('webhook', { delivery: 'endless' }, { delivery: 'drip' });
    const endless = await fetch(application.url);
    const reader = endless.body?.getReader();
    let bytes = 0;
    while (bytes < 1_000_000) bytes += (await reader?.read())?.value?.length ?? Number.POSITIVE_INFINITY;
    await reader?.cancel();
    expect(bytes).to.be.finite;
    expect(await (await fetch(application.url)).text()).to.equal('ok');
  });
});
