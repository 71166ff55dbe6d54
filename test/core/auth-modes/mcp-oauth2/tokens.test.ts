import { expect } from 'chai';
import { ForeignResponse, type ModeInput } from '../../../../core/auth-modes/auth-mode.ts';
import { mcpOAuth2 } from '../../../../core/auth-modes/mcp-oauth2/index.ts';
import { jsonResponse } from '../../../support/fake-provider/echo.ts';
import { serve } from '../../../support/loopback-server.ts';
import { NOW, tokenFailure } from '../building-blocks/token-endpoint/mode-input.ts';
import { DOCUMENT_URL, McpFlow } from './mcp-input.ts';

describe('tokens of an MCP server', function () {
  const flow = new McpFlow(this);
  const tokenCalls = () => flow.server.provider.ledger.of('token');
  const connect = async () => flow.complete(await flow.begin());

  it('are issued for its resource and the registered client', async () => {
    const stored = await connect();
    const [client] = [...flow.server.provider.clients].slice(-1).map(([id, secrets]) => ({ id, secret: [...secrets][0] }));
    expect(stored).to.deep.include({
      type: 'MCP_OAUTH2',
      issuer: flow.server.origin,
      resource: flow.server.endpoint,
      client: { from: 'registration', clientId: client?.id, clientSecret: client?.secret, secretIn: 'basic' },
    });
    expect(tokenCalls()[0]?.params).to.include({ grant_type: 'authorization_code', resource: flow.server.endpoint });
    expect(tokenCalls()[0]?.headers.authorization).to.match(/^Basic /);
  });

  for (const [what, promise, iss] of [
    ['of another issuer', false, 'https://honest.example'],
    ['without the promised issuer', true, undefined],
  ] as const) {
    it(`are not requested after a response ${what}`, async () => {
      flow.server.always('metadata', { members: { authorization_response_iss_parameter_supported: promise } });
      const begun = await flow.begin();
      const failure = await tokenFailure(flow.complete(begun, iss === undefined ? {} : { iss }));
      expect(failure).to.be.instanceOf(ForeignResponse);
      expect(tokenCalls()).to.deep.equal([]);
    });
  }

  it('are issued after a response of the promised issuer', async () => {
    flow.server.always('metadata', { members: { authorization_response_iss_parameter_supported: true } });
    const stored = await flow.complete(await flow.begin(), { iss: flow.server.origin });
    expect(flow.server.provider.grants.isLive(stored.accessToken)).to.equal(true);
  });

  it('are requested at the endpoint that was valid when the flow began, whatever the metadata says later', async () => {
    const begun = await flow.begin();
    flow.server.always('metadata', { members: { token_endpoint: 'http://127.0.0.1:1/token' } });
    expect(flow.server.provider.grants.isLive((await flow.complete(begun)).accessToken)).to.equal(true);
  });

  it('are not requested at an address that the token endpoint redirects to', async () => {
    const visits: string[] = [];
    await using elsewhere = await serve(({ url = '' }, response) => {
      visits.push(url);
      response.end('{}');
    });
    flow.server.provider.always('token', { response: { status: 307, headers: { location: elsewhere.url } } });
    await tokenFailure(connect());
    expect(visits).to.deep.equal([]);
  });

  it('are refreshed for the same resource by the same client', async () => {
    const stored = await connect();
    const renewed = await flow.refresh(stored);
    expect(renewed).to.deep.include({ issuer: stored.issuer, resource: stored.resource, client: stored.client });
    expect(flow.server.provider.grants.isLive(renewed.accessToken)).to.equal(true);
    expect(tokenCalls()[1]?.params).to.include({ grant_type: 'refresh_token', resource: stored.resource });
  });

  it('need a new authorization when the server has forgotten the client', async () => {
    const stored = await connect();
    flow.server.provider.clients.clear();
    expect(await tokenFailure(flow.refresh(stored))).to.include({ kind: 'refused', providerCode: 'invalid_client' });
    const own = { ...stored, client: { from: 'integration' } as const };
    expect(await tokenFailure(flow.refresh(own)), 'an operator can correct it').to.include({ kind: 'transient' });
  });

  it('fail only temporarily when the server is in trouble or could not fetch the client metadata document', async () => {
    const stored = await connect();
    const respond = (status: number) =>
      flow.server.provider.next('token', { response: jsonResponse(status, { error: 'invalid_client' }) });
    for (const status of [429, 500, 503]) {
      respond(status);
      expect(await tokenFailure(flow.refresh(stored)), String(status)).to.include({ kind: 'transient' });
    }
    respond(401);
    const documented = { ...stored, client: { from: 'document', clientId: DOCUMENT_URL } as const };
    expect(await tokenFailure(flow.refresh(documented))).to.include({ kind: 'transient' });
  });

  it('keep their refresh token where a new authorization of the same client brings none', async () => {
    const previous = await connect();
    const { refreshToken, ...stored } = { ...(await connect()), client: previous.client };
    expect(mcpOAuth2.keepRefreshToken?.(stored, previous)).to.deep.equal({ ...stored, refreshToken: previous.refreshToken });
    for (const other of [
      { issuer: 'https://b.example' },
      { resource: 'https://b.example' },
      { client: { from: 'integration' } as const },
    ])
      expect(mcpOAuth2.keepRefreshToken?.({ ...stored, ...other }, previous)).to.equal(undefined);
  });

  describe('of a client whose secret was replaced', () => {
    const OF_INTEGRATION = { from: 'integration' } as const;

    function replaced(clientId: string, until: string): Partial<ModeInput> {
      const [secret = ''] = flow.server.provider.clients.get(clientId) ?? [];
      const previousSecret = { secret, until };
      return { client: { clientId, clientSecret: 'not known there yet', scopes: [], previousSecret } };
    }

    async function connected() {
      const stored = await connect();
      const clientId = stored.client.from === 'registration' ? stored.client.clientId : expect.fail('it was registered');
      return { stored: { ...stored, client: OF_INTEGRATION }, registered: stored, clientId };
    }

    it('are refreshed and revoked with the previous secret if the client is the integration’s', async () => {
      const { stored, clientId } = await connected();
      const changes = replaced(clientId, '9999-12-31T23:59:59.999Z');
      const renewed = await flow.refresh(stored, changes);
      expect(flow.server.provider.grants.isLive(renewed.accessToken)).to.equal(true);
      expect(await mcpOAuth2.revoke?.(flow.deps, flow.input(changes), renewed)).to.equal('revoked');
    });

    it('are not refreshed with the previous secret once its time is over', async () => {
      const { stored, clientId } = await connected();
      const changes = replaced(clientId, NOW.toISOString());
      expect(await tokenFailure(flow.refresh(stored, changes))).to.include({ providerCode: 'invalid_client' });
      expect(tokenCalls()).to.have.length(2);
    });

    it('are requested only once for a registered client, which has no other secret', async () => {
      const { registered, clientId } = await connected();
      const changes = replaced(clientId, '9999-12-31T23:59:59.999Z');
      flow.server.provider.clients.clear();
      await tokenFailure(flow.refresh(registered, changes));
      expect(tokenCalls()).to.have.length(2);
    });
  });

  it('are not spent while the metadata cannot be read', async () => {
    const stored = { ...(await connect()), issuer: `${flow.server.origin}/elsewhere` };
    const before = tokenCalls().length;
    flow.server.always('mcp', { response: { status: 404 } });
    expect(await tokenFailure(flow.refresh(stored))).to.include({ kind: 'transient' });
    expect(tokenCalls()).to.have.length(before);
  });

  it('are requested as a public client if the client ID is the URL of a document', async () => {
    flow.server.always('metadata', { members: { client_id_metadata_document_supported: true } });
    flow.server.provider.clients.set(DOCUMENT_URL, new Set(['']));
    const begun = await flow.begin({}, DOCUMENT_URL);
    flow.server.provider.next('token', { response: jsonResponse(200, { access_token: 'access', token_type: 'Bearer' }) });
    const { client } = await flow.complete(begun);
    expect(client).to.deep.equal({ from: 'document', clientId: DOCUMENT_URL });
    const [call] = tokenCalls();
    expect(new URLSearchParams(call?.body.toString('utf8')).get('client_id')).to.equal(DOCUMENT_URL);
    expect(call?.headers.authorization).to.equal(undefined);
  });

  it('are revoked at the endpoint that the server names', async () => {
    const { revoke } = mcpOAuth2;
    const stored = await connect();
    expect(await revoke?.(flow.deps, flow.input(), stored)).to.equal('revoked');
    expect(flow.server.provider.grants.isLive(stored.accessToken)).to.equal(false);
  });

  it('are sent to no other server than that of their resource', async () => {
    const stored = await connect();
    const to = (mcp_server_url: string) => () => mcpOAuth2.sign?.(stored, flow.input({ connectionConfig: { mcp_server_url } }));
    expect(to(flow.server.endpoint)()).to.deep.equal({ authorization: `Bearer ${stored.accessToken}` });
    expect(to(`${flow.server.endpoint}/below`)()).to.deep.equal({ authorization: `Bearer ${stored.accessToken}` });
    for (const other of ['https://b.example/mcp', `${flow.server.origin}/mcp2`, `${flow.server.origin}/`, 'no URL'])
      expect(to(other), other).to.throw('the credentials of this connection are for another MCP server');
  });
});
