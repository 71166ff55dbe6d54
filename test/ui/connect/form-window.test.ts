import { expect } from 'chai';
import { ApiError } from '../../../ui/kit/api-error.ts';
import { expired, FakeWindow, failed, flow, form, integration, session, started } from './fake-window.ts';

const KEY_FIELD = { path: ['credentials', 'apiKey'] as const, title: 'API key', secret: true };
const SITE_FIELD = { path: ['params', 'site'] as const, title: 'Site' };
const KEYED = form('desk', { way: 'form', fields: [SITE_FIELD, KEY_FIELD] });

async function typed(answer: FakeWindow['answer']): Promise<FakeWindow> {
  const fake = await started({}, KEYED);
  fake.answer = answer;
  fake.window.type('params.site', 'acme');
  fake.window.type('credentials.apiKey', 'a key');
  fake.window.submit();
  await fake.settle();
  return fake;
}

describe('the window: a form', () => {
  it('sends nothing while a field is missing, and counts the attempts', async () => {
    const fake = await started({}, KEYED);
    fake.window.submit();
    fake.window.submit();
    expect(fake.window.state.screen).to.include({ attempts: 2 });
    expect(fake.window.state.screen).to.have.property('faults').with.keys('params.site', 'credentials.apiKey');
    expect(fake.created).to.deep.equal([]);
  });

  it('sends what was typed, and holds no secret after its success', async () => {
    const fake = await typed(async ({ id }) => flow({ id, state: 'succeeded' }));
    expect(fake.created[0]).to.deep.include({ params: { site: 'acme' }, credentials: { apiKey: 'a key' } });
    expect(fake.at).to.equal('success');
    expect(fake.window.state.values).to.deep.equal({ 'params.site': 'acme', 'credentials.apiKey': '' });
  });

  it('returns to the typed values when it is refused', async () => {
    const fields = [{ path: ['credentials', 'apiKey'], code: 'invalid_value', message: 'Revoked.' }];
    const fake = await typed(async ({ id }) => flow({ id, ...failed('credentials_rejected', { fields }) }));
    expect(fake.window.state.screen).to.deep.include({
      at: 'start',
      faults: { 'credentials.apiKey': { code: 'invalid_value', message: 'Revoked.' } },
      isChecking: false,
    });
    expect(fake.window.state.values).to.include({ 'params.site': 'acme' });
  });

  it('shows the errors of a refused request at their fields', async () => {
    const faults = [{ path: ['params', 'site'], code: 'invalid_format', message: 'no site' }];
    const fake = await typed(async () => {
      throw new ApiError('field_invalid', { status: 400, faults });
    });
    expect(fake.window.state.screen).to.have.nested.property('faults').with.keys('params.site');
  });

  it('asks before it discards what was typed, and only then', async () => {
    const fake = await started({}, KEYED);
    fake.window.type('params.site', 'acme');
    fake.window.requestClose();
    expect(fake.window.state.isAskingToDiscard).to.equal(true);
    fake.window.leaving.stay();
    expect(fake.types).to.not.include('close');
    expect(fake.window.state.values).to.include({ 'params.site': 'acme' });
    fake.window.requestClose();
    fake.window.close();
    expect(fake.types).to.include('close');
    expect(fake.window.state.values).to.deep.equal({});

    const untouched = await started({}, KEYED);
    untouched.window.requestClose();
    expect(untouched.types).to.deep.equal(['loaded', 'close']);
  });

  it('also asks before it goes back to the other integrations', async () => {
    const fake = new FakeWindow({ wanted: 'desk' });
    fake.session = async () => session([integration('desk'), integration('mail')]);
    fake.form = async () => KEYED;
    await fake.window.load();
    fake.window.type('params.site', 'acme');
    expect(fake.window.back()).to.equal(true);
    expect(fake.window.state.isAskingToDiscard).to.equal(true);
    fake.window.back();
    expect(fake.window.state).to.deep.include({ isAskingToDiscard: false });
    expect(fake.window.state.values).to.include({ 'params.site': 'acme' });
    fake.window.back();
    fake.window.leaving.discard();
    expect(fake.at).to.equal('picker');
    expect(fake.window.state).to.deep.include({ isAskingToDiscard: false, values: {} });
    expect(fake.types).to.not.include('close');
  });

  it('gets another token when its own has expired, and continues the same flow', async () => {
    const fake = await started({}, KEYED);
    fake.canRenew = true;
    let calls = 0;
    fake.answer = async ({ id }) => {
      calls += 1;
      if (calls === 1) throw expired();
      return flow({ id, state: 'succeeded' });
    };
    fake.window.type('params.site', 'acme');
    fake.window.type('credentials.apiKey', 'a key');
    fake.window.submit();
    await fake.settle();
    expect(fake.renewals).to.equal(1);
    expect(fake.created[1]?.id).to.equal(fake.created[0]?.id);
    expect(fake.at).to.equal('success');
  });

  it('says that it has expired if there is no other token', async () => {
    const fake = await typed(async () => {
      throw expired();
    });
    expect(fake.window.state.screen).to.deep.equal({ at: 'ended', reason: 'expired' });
    fake.window.close();
    expect(fake.messages.at(-1)).to.deep.equal({ type: 'close', payload: { reason: 'expired' } });
  });

  it('says how long to wait after too many attempts', async () => {
    const fake = await typed(async () => {
      throw new ApiError('rate_limited', { status: 429, retryAfter: 30 });
    });
    const { screen } = fake.window.state;
    expect(screen.at === 'failure' && screen.failure.retryAt).to.deep.equal(new Date('2026-01-01T00:00:30.000Z'));
  });
});
