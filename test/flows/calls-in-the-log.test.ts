import { expect } from 'chai';
import { type Connected, connect, readConnection } from '../support/connect.ts';
import { startFakeProvider } from '../support/fake-provider/fake-provider.ts';
import { startTenant } from '../support/tenant.ts';
import { use } from '../support/use.ts';

interface Message {
  readonly level: string;
  readonly message: string;
  readonly facts: { readonly call?: { readonly duration_ms: unknown } };
}

describe('calls to the provider, in the operation log', function () {
  const app = use(this, startTenant);
  const provider = use(this, () => startFakeProvider());
  let connected: Connected;

  before(async () => {
    connected = await connect(app, provider);
  });

  const latest = async (type: string) => {
    const { data } = (await app.api.get(`/logs?type=${type}&limit=1`)).body;
    return (await app.api.get(`/logs/${data[0].id}`)).body.data;
  };
  const callsIn = ({ messages }: { readonly messages: readonly Message[] }) => messages.filter(({ facts }) => facts.call);

  it('are those of a sign-in, without the code that was exchanged', async () => {
    const operation = await latest('auth');
    const [exchange] = callsIn(operation);
    expect(exchange).to.deep.include({ level: 'info', message: `POST ${new URL(provider.url).host} → 200` });
    expect(exchange?.facts.call?.duration_ms).to.be.a('number');
    expect(operation.summary, 'what the operation says').to.equal('an account was connected');
    for (const { facts } of callsIn(operation))
      expect(Object.keys(facts.call ?? {})).to.have.members(['method', 'host', 'result', 'duration_ms']);
  });

  it('are those of a refresh, even if it is refused', async () => {
    await readConnection(app, connected, '&force_refresh=true');
    const renewed = await latest('refresh');
    expect([renewed.status, renewed.summary]).to.deep.equal(['success', 'the credentials were refreshed']);
    expect(callsIn(renewed).map(({ message }) => message)).to.deep.equal([`POST ${new URL(provider.url).host} → 200`]);
    provider.always('token', { response: { status: 400, body: '{"error":"invalid_grant"}' } });
    await readConnection(app, connected, '&force_refresh=true');
    const refused = await latest('refresh');
    expect(refused.status).to.equal('failure');
    const [call] = callsIn(refused);
    expect(call).to.deep.include({ level: 'warn', message: `POST ${new URL(provider.url).host} → 400` });
  });
});
