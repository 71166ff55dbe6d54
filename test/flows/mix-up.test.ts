import { expect } from 'chai';
import { connectionsOf, enter, finish, logOf, type Returning, wordsOf } from '../support/authorization.ts';
import { createIntegration } from '../support/connect.ts';
import { type FakeProvider, startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { serve } from '../support/loopback-server.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';
import { WebWalker } from '../support/web-walker.ts';

/** A server that an integration trusts, but that sends its visitors on to the honest server (RFC 9700 §4.4.1). */
interface HostileServer extends AsyncDisposable {
  readonly url: string;
  /** The bodies of the requests to the hostile server's token endpoint. */
  readonly received: string[];
}

async function startHostileServer(honest: FakeProvider): Promise<HostileServer> {
  const received: string[] = [];
  const server = await serve((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://hostile');
    if (pathname === '/authorize') {
      const onward = new URL(honest.authorizationUrl);
      onward.search = search;
      onward.searchParams.set('client_id', honest.clientId);
      response.writeHead(302, { location: onward.href }).end();
      return;
    }
    const parts: string[] = [];
    request.setEncoding('utf8').on('data', (part: string) => parts.push(part));
    request.on('end', () => {
      received.push(parts.join(''));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ access_token: 'hostile', token_type: 'Bearer' }));
    });
  });
  return { url: server.url, received, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

describe('a hostile authorization server that sends users on to an honest one', function () {
  const app = use(this, startTenant);
  const honest = use(this, () => startFakeProvider({ pkce: 'required', issuerInCallback: true }));
  const hostile = use(this, () => startHostileServer(honest));

  before(async () => {
    await createIntegration(app, honest, { key: 'honest' });
    const { url } = hostile;
    const addresses = { url, authorizationUrl: `${url}/authorize`, tokenUrl: `${url}/token` };
    const client = { clientId: 'at-hostile', clientSecret: 'at-hostile-secret' };
    await createIntegration(app, { ...addresses, ...client }, { key: 'hostile' });
  });

  /** Walks through both servers until the honest one has issued a code, but does not visit the callback. */
  async function walk(): Promise<Returning> {
    const walker = new WebWalker();
    const page = await enter(app, { key: 'hostile', walker });
    const location = page.headers.get('location') ?? expect.fail(page.text);
    expect(new URL(location).origin).to.equal(hostile.url);
    const back = await walker.follow(location, (url) => url.startsWith(`${app.url}/oauth/callback`));
    if (!('stoppedAt' in back)) throw new Error(`the honest server did not send the browser back: ${back.status}`);
    return { walker, callback: new URL(back.stoppedAt) };
  }

  it('receives neither the code nor the verifier, and the log names the setting', async () => {
    const back = await walk();
    expect(back.callback.searchParams.get('iss')).to.equal(honest.url);
    expect(back.callback.searchParams.get('code')).to.be.a('string');
    const page = await finish(back);
    expect(page.status).to.equal(400);
    expect(wordsOf(page)).to.match(/^Not connected The response did not come from /);
    expect(JSON.stringify((await logOf(app, page)).body)).to.include('integration_config.issuer');
    expect(hostile.received).to.deep.equal([]);
    expect(honest.ledger.of('token')).to.deep.equal([]);
    expect(await connectionsOf(app)).to.deep.equal([]);
  });

  it('would receive both after a response without an issuer, so such providers need a callback of their own', async () => {
    const page = await finish(await walk(), { iss: undefined });
    expect(page.status).to.equal(200);
    expect(hostile.received).to.have.length(1);
    expect(hostile.received[0]).to.include('code_verifier=');
  });
});
