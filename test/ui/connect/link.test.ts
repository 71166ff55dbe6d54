import { expect } from 'chai';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { FakeWindow, failed, flow, form, integration, session, started } from './fake-window.ts';

const SESSION = session([integration('desk')]);
const JOURNEY = { flowId: 'flow', session: { ...SESSION, brand: { ...SESSION.brand, language: 'de' } }, form: form('desk') };

describe('the window: a link', () => {
  it('goes to the provider in this tab after creating a flow, and stores what it needs to resume', async () => {
    const fake = await started({ mode: 'page' });
    fake.window.submit();
    expect(fake.left).to.deep.equal([]);
    await fake.settle();
    expect(fake.created[0]).to.include({ mode: 'redirect' });
    expect(fake.left).to.deep.equal([`https://svc.example/connect/launch#${fake.created[0]?.launch_id}`]);
    expect(fake.journeys[0]).to.deep.include({ flowId: fake.created[0]?.id });
    expect(fake.opened).to.deep.equal([]);
  });

  it('reports the result of a flow whose session has ended', async () => {
    const fake = new FakeWindow({ mode: 'page' });
    fake.session = async () => {
      throw new ApiError('session_used', { status: 401 });
    };
    fake.flowNow = flow({ state: 'succeeded', account: { email: 'ada@example.com' } });
    fake.window.resume(JOURNEY);
    await fake.settle();
    expect(fake.at).to.equal('success');
    expect(fake.forgets).to.equal(1);
    expect(fake.spoken).to.deep.equal(['de']);
  });

  it('waits for a service that does not respond when the person comes back', async () => {
    const fake = new FakeWindow({ mode: 'page' });
    fake.outages.push(new ApiError('server_error', { status: 502 }), new ApiError('server_error', { status: 0 }));
    fake.outages.push(new ApiError('server_error', { status: 503 }));
    fake.flowNow = flow({ state: 'succeeded' });
    fake.window.resume(JOURNEY);
    await fake.elapse(0);
    await fake.elapse(2_000);
    expect(fake.outages).to.deep.equal([]);
    expect(fake.at).to.equal('verifying');
    await fake.elapse(2_000);
    expect(fake.at).to.equal('success');
  });

  it('forgets a session that expired before its flow ended', async () => {
    const fake = new FakeWindow({ mode: 'page' });
    fake.flowNow = flow(failed('session_expired'));
    fake.window.resume(JOURNEY);
    await fake.settle();
    expect(fake.window.state.screen).to.deep.equal({ at: 'ended', reason: 'expired' });
    expect(fake.forgets).to.equal(1);
  });

  it('fails visibly when the service has deleted its flow', async () => {
    const fake = new FakeWindow({ mode: 'page' });
    fake.outages.push(new ApiError('server_error', { status: 404 }));
    fake.window.resume(JOURNEY);
    await fake.settle();
    expect(fake.at).to.equal('failure');
  });

  it('lets the person cancel the choice, and then connects nothing', async () => {
    const fake = new FakeWindow({ mode: 'page' });
    fake.flowNow = flow({ state: 'choosing', options: [{ id: 'one', label: 'One' }] });
    fake.window.resume(JOURNEY);
    await fake.settle();
    expect(fake.at).to.equal('choosing');
    fake.window.startOver();
    expect(fake.at).to.equal('start');
    expect(fake.cancelled).to.deep.equal(['flow']);
    await fake.tell({ id: 'flow', state: 'cancelled' });
    expect(fake.at).to.equal('start');
  });

  it('begins again when the person came back without having signed in', async () => {
    const fake = new FakeWindow({ mode: 'page' });
    fake.window.resume(JOURNEY);
    await fake.settle();
    expect(fake.at).to.equal('start');
  });

  it('leads to the application’s return URL, with the result', async () => {
    const fake = new FakeWindow({ mode: 'page' });
    fake.session = async () => session([integration('desk')], { return_url: 'https://app.example/done?a=1' });
    await fake.window.load();
    fake.window.requestClose();
    expect(fake.left).to.deep.equal(['https://app.example/done?a=1&svc_status=closed&integration=desk']);
    expect(fake.forgets).to.equal(1);
  });
});
