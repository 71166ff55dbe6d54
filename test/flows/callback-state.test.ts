import { expect } from 'chai';
import { createKey } from '../../core/tenants/api-keys/api-keys.ts';
import { insertEnvironment } from '../../core/tenants/environments/environment-store.ts';
import type { TestApp } from '../support/app.ts';
import { connectionsOf, finish, logOf, type Returning, returnFromProvider, wordsOf } from '../support/authorization.ts';
import { rememberSecret } from '../support/canaries.ts';
import { createIntegration, createSession, type Service } from '../support/connect.ts';
import { startIntegratedApp } from '../support/integrated-app.ts';
import { size } from '../support/size.ts';
import { use } from '../support/use.ts';
import { type Page, WebWalker } from '../support/web-walker.ts';

const MINUTE_MS = 60_000;

describe('the state of a callback (OAU-01)', function () {
  const app = use(this, startIntegratedApp);

  function exchanges(): number {
    return app.provider.ledger.of('token').length;
  }

  /** Visits a callback. @returns the page, the number of token requests and the number of new connections */
  async function effectOf(visit: () => Promise<Page>) {
    const [calls, connections] = [exchanges(), (await connectionsOf(app)).length];
    const page = await visit();
    return { page, calls: exchanges() - calls, connections: (await connectionsOf(app)).length - connections };
  }

  async function expectRefused(visit: () => Promise<Page>, status = 400): Promise<void> {
    const { page, calls, connections } = await effectOf(visit);
    expect({ status: page.status, calls, connections }).to.deep.equal({ status, calls: 0, connections: 0 });
    expect(page.headers.get('location')).to.equal(null);
  }

  const UNUSABLE: Readonly<Record<string, (back: Returning) => Promise<Page>>> = {
    missing: (back) => finish(back, { state: undefined }),
    empty: (back) => finish(back, { state: '' }),
    unknown: (back) => finish(back, { state: 'A'.repeat(43) }),
    'cut short': (back) => finish(back, { state: back.callback.searchParams.get('state')?.slice(0, -1) }),
    'a list of two': (back) => back.walker.visit(`${back.callback.href}&state=${back.callback.searchParams.get('state')}`),
    'a member of a list': (back) => back.walker.visit(back.callback.href.replace('state=', 'state[]=')),
    'a member of an object': (back) => back.walker.visit(back.callback.href.replace('state=', 'state[a]=')),
    'nested three levels deep': (back) => back.walker.visit(back.callback.href.replace('state=', 'state[a][b][c]=')),
    'two thousand characters long': (back) => finish(back, { state: 'A'.repeat(2_000) }),
    'followed by U+0000': (back) => finish(back, { state: `${back.callback.searchParams.get('state')}\0` }),
  };

  for (const [kind, visit] of Object.entries(UNUSABLE)) {
    it(`that is ${kind} is refused without a token request, and the right one still works`, async () => {
      const back = await returnFromProvider(app);
      await expectRefused(() => visit(back));
      expect((await finish(back)).status).to.equal(200);
    });
  }

  it('that is 20 kB long is refused before anything reads it', async () => {
    const back = await returnFromProvider(app);
    await expectRefused(() => finish(back, { state: 'A'.repeat(20_000) }), 414);
  });

  it('works once', async () => {
    const back = await returnFromProvider(app);
    expect((await finish(back)).status).to.equal(200);
    const { page, calls, connections } = await effectOf(() => finish(back));
    expect({ calls, connections }).to.deep.equal({ calls: 0, connections: 0 });
    expect(wordsOf(page)).to.match(/^Connected /);
    await app.clock.advance(61 * MINUTE_MS);
    await expectRefused(() => finish(back));
    expect(wordsOf(await finish(back))).to.match(/^This attempt is over This attempt is no longer valid, .* is connected/);
  });

  it('works for 60 minutes', async () => {
    const inTime = await returnFromProvider(app);
    await app.clock.advance(60 * MINUTE_MS - 5_000);
    expect((await finish(inTime)).status).to.equal(200);

    const late = await returnFromProvider(app);
    await app.clock.advance(60 * MINUTE_MS);
    await expectRefused(() => finish(late));
  });

  it('lets only one of many simultaneous callbacks through', async () => {
    const back = await returnFromProvider(app);
    const visits = size(50, 200);
    const { calls, connections, page } = await effectOf(async () => {
      const pages = await Promise.all(Array.from({ length: visits }, () => finish(back)));
      const [first, ...others] = pages.toSorted((one, other) => one.status - other.status);
      // A callback that arrives while the first is handled waits and gets the same page; a later one gets a page that says that
      // the attempt is over.
      for (const other of others) if (other.status !== 400) expect(other.text).to.equal(first?.text);
      return first ?? expect.fail('none went through');
    });
    expect({ status: page.status, calls, connections }).to.deep.equal({ status: 200, calls: 1, connections: 1 });
  });

  it('belongs to its environment', async () => {
    const other = await addEnvironment(app);
    await createIntegration(other, app.provider);
    const back = await returnFromProvider(other);
    const { page, connections } = await effectOf(() => finish(back));
    expect({ status: page.status, connections }).to.deep.equal({ status: 200, connections: 0 });
    expect(await connectionsOf(other)).to.have.length(1);
  });

  it('of a session works only for an integration of the same environment', async () => {
    const other = await addEnvironment(app, 'third');
    const token = await createSession(other);
    const failure: unknown = await returnFromProvider(app, { token }).catch((error: unknown) => error);
    expect(String(failure)).to.include('the flow did not begin: 404');
  });

  it('of a session that another flow has used up is refused with a log reference', async () => {
    const token = await createSession(app);
    const [first, second] = [await returnFromProvider(app, { token }), await returnFromProvider(app, { token })];
    expect((await finish(first)).status).to.equal(200);
    const page = await finish(second);
    expect(wordsOf(page)).to.match(/^This attempt is over This window was used already, or has expired\./);
    const { data } = (await logOf(app, page)).body;
    expect(data).to.include({ type: 'auth', status: 'failure' });
    expect(data.messages[0].facts).to.deep.equal({ failure: 'session_expired' });
  });

  it('is kept as a hash', async () => {
    const { callback } = await returnFromProvider(app);
    rememberSecret('OAuth state', callback.searchParams.get('state') ?? '');
  });

  describe('in another browser', () => {
    const STRANGERS: Readonly<Record<string, () => Promise<WebWalker> | WebWalker>> = {
      'without a cookie': () => new WebWalker(),
      'with the cookie of a flow of its own': async () => (await returnFromProvider(app)).walker,
    };

    for (const [what, stranger] of Object.entries(STRANGERS)) {
      it(`${what} is refused and not used up: the right browser still gets its connection`, async () => {
        const back = await returnFromProvider(app);
        const walker = await stranger();
        await expectRefused(() => finish(back, {}, walker));
        const { page, calls, connections } = await effectOf(() => finish(back));
        expect({ status: page.status, calls, connections }).to.deep.equal({ status: 200, calls: 1, connections: 1 });
      });
    }

    it('with two flow cookies is refused', async () => {
      const back = await returnFromProvider(app);
      const cookie = `svc_flow=${'a'.repeat(43)}; svc_flow=${'b'.repeat(43)}`;
      const response = await fetch(back.callback, { headers: { cookie } });
      expect(response.status).to.equal(400);
    });

    it('does not replace the cookie, because one browser keeps one cookie for all its flows', async () => {
      const walker = new WebWalker();
      const first = await returnFromProvider(app, { walker });
      const second = await returnFromProvider(app, { walker });
      expect((await finish(second)).status).to.equal(200);
      expect((await finish(first)).status).to.equal(200);
    });
  });
});

/** Creates another environment in the same installation. */
async function addEnvironment(app: TestApp, name = 'second'): Promise<Service> {
  const { id: environmentId } = await insertEnvironment(app.database.db, { accountId: 1, name });
  const input = { name: 'full', scopes: ['environment:*'] };
  const { secret } = await createKey(app.services, { accountId: 1, environmentId }, input);
  return { url: app.url, api: app.client(rememberSecret('API key', secret)) };
}
