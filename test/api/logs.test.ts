import { expect } from 'chai';
import { startApp } from '../support/app.ts';
import { expectError } from '../support/std-error.ts';
import { storeTenant } from '../support/stored.ts';
import { use } from '../support/use.ts';

describe('logs', function () {
  const app = use(this, startApp);

  const noted = (environmentId = 1) => {
    const operation = app.services.activity.begin({
      type: 'auth',
      operation: 'creation',
      environmentId,
      providerConfigKey: 'one',
    });
    operation.note('error', 'the provider said no', { status: 400, access_token: 'never shown' });
    operation.end('failure');
    return operation.id;
  };

  it('tell what a reference stands for, at once', async () => {
    const id = noted();
    const { status, body } = await app.api.get(`/logs/${id}`);
    expect(status).to.equal(200);
    const { created_at, ended_at, messages, ...operation } = body.data;
    expect(operation).to.deep.equal({
      id,
      type: 'auth',
      operation: 'creation',
      status: 'failure',
      connection_id: null,
      provider_config_key: 'one',
    });
    expect(Date.parse(ended_at)).to.be.at.least(Date.parse(created_at));
    expect(messages).to.have.length(1);
    expect(messages[0].facts).to.deep.equal({ status: 400, access_token: '[redacted]' });
  });

  it('give the same response for an unknown entry and for that of another environment', async () => {
    const other = await storeTenant(app, 'other');
    const unknown = await app.api.get('/logs/7b1c1b86-53f5-4d6c-b1a5-0f7f5c8b3d11');
    const foreign = await app.api.get(`/logs/${noted(other.environmentId)}`);
    expectError(unknown, 'not_found');
    expect(foreign.text).to.equal(unknown.text);
  });

  it('are counted when they are lost', async () => {
    const lost = async () => Number(/^operations_dropped_total (\d+)$/m.exec((await app.client().get('/metrics')).text)?.[1]);
    const before = await lost();
    noted(999);
    await app.services.activity.flush();
    expect(await lost()).to.equal(before + 1);
    expect(await lost()).to.equal(before + 1);
  });

  it('are asked for by UUID', async () => {
    expectError(await app.api.get('/logs/1'), 'invalid_uri_params', ['id']);
  });
});
