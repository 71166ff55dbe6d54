import { expect } from 'chai';
import { readEvents } from '../../../ui/kit/event-stream.ts';
import { sessionOf, signedInAs, type TestMember } from '../../support/dashboard/members.ts';
import { expectError } from '../../support/std-error.ts';
import { storeConnection, storeIntegration } from '../../support/stored.ts';
import { startTenant } from '../../support/tenant.ts';
import { until } from '../../support/until.ts';
import { use } from '../../support/use.ts';

/** Five times the two seconds within which the stream must show an operation, because other tests run at the same time. */
const TOLD_WITHIN_MS = 10_000;
const MAX_STREAMS = 20;

describe('the stream of the operation log', function () {
  const app = use(this, startTenant);

  /**
   * Opens a stream and reads its first event: if nobody read the body, `fetch` would cancel it when the response is
   * garbage-collected.
   */
  async function open({ cookie }: TestMember, { query = '', after }: { query?: string; after?: string } = {}) {
    const headers = { cookie, ...(after !== undefined && { 'last-event-id': after }) };
    const response = await fetch(`${app.url}/api/ui/e/dev/logs/stream${query}`, { headers });
    expect([response.status, response.headers.get('content-type')]).to.deep.equal([200, 'text/event-stream']);
    if (response.body === null) throw new Error('there is no stream');
    const events = readEvents(response.body);
    const { id, entry } = await next(events);
    expect(entry).to.equal(undefined);
    return { events, begun: id };
  }

  const call = (connectionId: string) =>
    app.api.get('/proxy/x', { headers: { 'Provider-Config-Key': 'none', 'Connection-Id': connectionId } });

  async function next(events: ReturnType<typeof readEvents>) {
    const { value, done } = await events.next();
    if (done === true) throw new Error('the stream has ended');
    return { id: value.id, entry: value.data === '' ? undefined : JSON.parse(value.data) };
  }

  it('sends a proxied call within 2 s, as in the list, and none that the filter excludes', async () => {
    const { events } = await open(await signedInAs(app, 'viewer'), { query: '?type=proxy&connection_id=b' });
    await call('a');
    await call('b');
    const calledAt = performance.now();
    const { entry } = await next(events);
    expect(performance.now() - calledAt).to.be.below(TOLD_WITHIN_MS);
    const [listed] = (await app.api.get('/logs?connection_id=b')).body.data;
    expect(entry).to.deep.equal({ ...listed, connection_name: null, integration: null });
    await events.return(undefined);
  });

  it('shows the names of connections, as the list and the page of an operation do, unlike the API', async () => {
    const member = await signedInAs(app, 'viewer');
    const key = await storeIntegration(app.api, 'named');
    const { connectionId } = await storeConnection(app, { key, tags: { end_user_display_name: 'Kelvin' } });
    const { events } = await open(member, { query: `?connection_id=${connectionId}` });
    const callIt = (integration: string) =>
      app.api.get('/proxy/x', {
        headers: { 'Provider-Config-Key': integration, 'Connection-Id': connectionId, 'Base-Url-Override': 'x' },
      });
    await callIt(key);
    const { entry } = await next(events);
    expect(entry).to.include({ connection_id: connectionId, connection_name: 'Kelvin' });
    await callIt('another');
    expect((await next(events)).entry.connection_name, 'the same ID at another integration').to.equal(null);
    await events.return(undefined);
    const { data } = (await member.ui.get(`/api/ui/e/dev/logs?connection_id=${connectionId}`)).body;
    expect(data.map((one: { connection_name: unknown }) => one.connection_name)).to.deep.equal([null, 'Kelvin']);
    expect((await member.ui.get(`/api/ui/e/dev/logs/${entry.id}`)).body.data.connection_name).to.equal('Kelvin');
    expect((await app.api.get(`/logs/${entry.id}`)).text).to.not.contain('Kelvin');
  });

  it('continues where it was interrupted, even before anything was sent', async () => {
    const member = await signedInAs(app, 'viewer');
    const { events: cut, begun } = await open(member);
    await cut.return(undefined);
    await call('while-cut');
    const { events: resumed } = await open(member, { query: '?connection_id=while-cut', after: begun });
    const { id, entry } = await next(resumed);
    expect(entry.connection_id).to.equal('while-cut');
    await resumed.return(undefined);
    await call('cut-again');
    const { events: again } = await open(member, { query: '?connection_id=cut-again', after: id });
    expect((await next(again)).entry.connection_id).to.equal('cut-again');
    await again.return(undefined);
  });

  it('ends when the member signs out', async () => {
    const member = await signedInAs(app, 'viewer');
    // The filter matches nothing, because otherwise the stream might first repeat the latest operations.
    const { events } = await open(member, { query: '?connection_id=none' });
    expect((await member.ui.post('/api/ui/logout', undefined)).status).to.equal(204);
    expect((await events.next()).done).to.equal(true);
  });

  it('is refused if a person already follows twenty, in whichever sessions, until one of them ends', async () => {
    const member = await signedInAs(app, 'viewer');
    const again = await sessionOf(app, member.member);
    const all = await Promise.all(Array.from({ length: MAX_STREAMS }, (_, at) => open(at % 2 === 0 ? member : again)));
    expectError(await member.ui.get('/api/ui/e/dev/logs/stream'), 'too_many_request');
    await (await signedInAs(app, 'viewer').then(open)).events.return(undefined);
    await all.pop()?.events.return(undefined);
    await until('there is room again', async () => {
      const response = await fetch(`${app.url}/api/ui/e/dev/logs/stream`, { headers: { cookie: member.cookie } });
      await response.body?.cancel();
      return response.status === 200;
    });
    for (const { events } of all) await events.return(undefined);
  });
});
