import { expect } from 'chai';
import type { ConnectWindow } from '../../../ui/connect/flow/connect-window.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';
import type { FlowState } from '../../../ui/kit/wire.ts';
import { FakeWindow, failed, flow, integration, session, started } from './fake-window.ts';

describe('the window: its first screen', () => {
  const TWO = [integration('desk'), integration('mail')];

  for (const [what, made, at] of [
    ['nothing to connect', session([]), 'nothing'],
    ['one', session([integration('desk')]), 'start'],
    ['several', session(TWO), 'picker'],
    ['several, of which one is authorized again', session(TWO, { reconnect: { integration: 'mail', account: null } }), 'start'],
  ] as const) {
    it(`${what}: ${at}`, async () => {
      const fake = new FakeWindow();
      fake.session = async () => made;
      await fake.window.load();
      expect(fake.at).to.equal(at);
      expect(fake.types).to.deep.equal(['loaded']);
    });
  }

  it('speaks the language of the environment before it shows anything else', async () => {
    const fake = new FakeWindow();
    const { brand, ...rest } = session(TWO);
    fake.session = async () => ({ ...rest, brand: { ...brand, language: 'de' } });
    const seen: unknown[] = [];
    fake.window.store.subscribe(() => seen.push(fake.spoken.at(-1)));
    await fake.window.load();
    expect(new Set(seen)).to.deep.equal(new Set(['de']));
  });

  it('goes straight to the integration that the page names, and from there back to the others', async () => {
    const fake = new FakeWindow({ wanted: 'mail' });
    fake.session = async () => session(TWO);
    await fake.window.load();
    expect(fake.window.state.screen).to.have.nested.property('form.unique_key', 'mail');
    expect(fake.window.canGoBack).to.equal(true);
    expect(fake.window.back()).to.equal(true);
    expect(fake.at).to.equal('picker');
  });

  for (const [code, at, reason] of [
    ['session_expired', 'ended', 'expired'],
    ['session_used', 'ended', 'used'],
    ['origin_not_allowed', 'not_allowed', undefined],
    ['server_error', 'failure', undefined],
  ] as const) {
    it(`reports a refused session: ${code}`, async () => {
      const fake = new FakeWindow();
      fake.session = async () => {
        throw new ApiError(code, { status: 401 });
      };
      await fake.window.load();
      expect(fake.at).to.equal(at);
      if (reason !== undefined) expect(fake.window.state.screen).to.include({ reason });
      expect(fake.messages.find(({ type }) => type === 'error')).to.have.nested.property('payload.code', code);
    });
  }

  it('does not claim a connection when its session was deleted while the user signed in', async () => {
    const fake = await started();
    fake.answer = async ({ id }) => flow({ id, ...failed('session_used') });
    fake.session = () => Promise.reject(new ApiError('session_expired', { status: 401 }));
    fake.window.submit();
    await fake.settle();
    expect(fake.window.state.screen).to.include({ reason: 'expired' });
  });
  it('says after 10 s that loading takes long, and after 60 s that no token has arrived', async () => {
    const fake = new FakeWindow();
    fake.window.awaitToken();
    await fake.elapse(10_000);
    expect(fake.window.state.screen).to.deep.equal({ at: 'loading', isLong: true });
    await fake.elapse(60_000);
    expect(fake.window.state.screen).to.deep.equal({ at: 'ended', reason: 'missing' });
  });

  it('keeps waiting for a session that takes longer to load', async () => {
    const fake = new FakeWindow();
    fake.session = () => new Promise(() => {});
    fake.window.awaitToken();
    void fake.window.load();
    await fake.elapse(10_000);
    await fake.elapse(60_000);
    expect(fake.window.state.screen).to.deep.equal({ at: 'loading', isLong: true });
  });
});

const OPTIONS = [{ id: 'one', label: 'One' }];

/**
 * Returns a window after the service has refused the user's choice, and has reported the given state of the flow.
 *
 * @param meanwhile called while the window waits for the refusal
 */
async function chosen(refusal: Error, state: FlowState, meanwhile: (window: ConnectWindow) => void = () => {}) {
  const fake = await started();
  fake.window.submit();
  await fake.tell({ state: 'choosing', options: OPTIONS });
  fake.flowNow = flow({ state, options: OPTIONS });
  fake.answerChoice = async () => {
    throw refusal;
  };
  const choosing = fake.window.choose('one');
  meanwhile(fake.window);
  await choosing;
  return fake;
}

describe('the window: a sign-in in a separate window', () => {
  it('opens a provider window on the click, follows the flow, and shows the connected account', async () => {
    const fake = await started();
    fake.window.submit();
    // The provider window is opened before anything is awaited, because browsers block windows that are opened later than in the
    // click.
    expect(fake.opened).to.have.length(1);
    expect(fake.at).to.equal('waiting');
    await fake.settle();
    expect(fake.created[0]).to.include({ integration_id: 'desk', mode: 'popup' });
    expect(fake.opened[0]).to.equal(`https://svc.example/connect/launch#${fake.created[0]?.launch_id}`);
    await fake.tell({ state: 'exchanging' });
    expect(fake.at).to.equal('verifying');
    await fake.tell({ state: 'succeeded', account: { name: 'Ada' } });
    expect(fake.window.state.screen).to.deep.include({ at: 'success', account: { name: 'Ada' } });
    fake.window.close();
    expect(fake.types).to.deep.equal(['loaded', 'connect', 'close']);
    expect(fake.messages.at(-1)).to.deep.equal({ type: 'close', payload: { reason: 'finished' } });
    expect(fake.cancelled).to.deep.equal([]);
  });

  it('creates one flow on a double click', async () => {
    const fake = await started();
    fake.window.submit();
    fake.window.submit();
    await fake.settle();
    expect(fake.created).to.have.length(1);
    expect(fake.opened).to.have.length(1);
  });

  it('assumes a blocked window after 3 s without one, until one opens', async () => {
    const fake = await started();
    fake.popup = null;
    fake.window.submit();
    await fake.elapse(3_000);
    expect(fake.window.state.screen).to.include({ at: 'waiting', isBlocked: true });
    expect(fake.window.launchUrl()).to.equal(fake.opened[0]);
    await fake.tell({ state: 'opened' });
    expect(fake.window.state.screen).to.include({ at: 'waiting', isBlocked: false });
  });

  it('does not report an opened window as blocked, whatever `closed` is', async () => {
    const fake = await started();
    fake.popup = { closed: true, focus: () => {}, close: () => {} };
    fake.window.submit();
    await fake.tell({ state: 'opened' });
    await fake.elapse(3_000);
    expect(fake.window.state.screen).to.include({ at: 'waiting', isBlocked: false });
    await fake.elapse(20_000);
    expect(fake.window.state.screen).to.include({ at: 'waiting', isLate: true });
  });

  it('links to a new flow when the launch of the first one has expired', async () => {
    const fake = await started();
    fake.popup = null;
    fake.window.submit();
    await fake.elapse(3_000);
    fake.now = new Date(fake.now.getTime() + 120_000);
    const url = fake.window.launchUrl();
    expect(url).to.not.equal(fake.opened[0]);
    await fake.settle();
    expect(fake.created).to.have.length(2);
    expect(url).to.contain(fake.created[1]?.launch_id);
    expect(fake.opened).to.have.length(1);
  });

  it('shows the provider window again, by focus or by the same launch, and never ends a sign-in that it cannot observe', async () => {
    const fake = await started();
    const calls: string[] = [];
    fake.popup = { closed: false, focus: () => calls.push('focus'), close: () => {} };
    fake.window.submit();
    await fake.settle();
    fake.window.showAgain();
    expect(calls).to.deep.equal(['focus']);

    fake.popup.close = () => calls.push('close');
    await fake.tell({ state: 'redirected' });
    fake.window.showAgain();
    // While the popup shows the provider's page, browsers refuse `focus` and `close`, so the window calls neither.
    expect(fake.window.state.screen).to.include({ at: 'waiting', isLost: true });
    fake.window.startOver();
    expect(calls).to.deep.equal(['focus']);

    const gone = await started();
    gone.popup = { closed: true, focus: () => {}, close: () => {} };
    gone.window.submit();
    await gone.settle();
    gone.window.showAgain();
    expect(gone.opened[1]).to.equal(gone.opened[0]);
    await gone.tell({ state: 'redirected' });
    gone.window.showAgain();
    await gone.settle();
    expect(gone.created).to.have.length(1);
    expect(gone.opened).to.have.length(2);
    expect(gone.window.state.screen).to.include({ at: 'waiting', isLost: true });
    await gone.tell({ state: 'exchanging' });
    expect(gone.at).to.equal('verifying');
  });

  it('opens another window for a new flow on request', async () => {
    const fake = await started();
    fake.popup = { closed: true, focus: () => {}, close: () => {} };
    fake.window.submit();
    await fake.tell({ state: 'redirected' });
    fake.window.showAgain();
    fake.window.openAnother();
    expect(fake.opened).to.have.length(2);
    await fake.settle();
    expect(fake.opened[1]).to.contain(fake.created[1]?.launch_id);
    expect(fake.window.state.screen).to.include({ at: 'waiting', isLost: false });
  });

  it('cancels when the person starts over, or closes', async () => {
    const fake = await started();
    fake.window.submit();
    await fake.settle();
    fake.window.startOver();
    expect(fake.at).to.equal('start');
    expect(fake.cancelled).to.deep.equal([fake.created[0]?.id]);
    fake.window.submit();
    await fake.settle();
    fake.window.requestClose();
    expect(fake.cancelled).to.have.length(2);
    expect(fake.messages.at(-1)).to.deep.equal({ type: 'close', payload: { reason: 'user' } });
  });

  it('says what went wrong, and starts over on the same screen', async () => {
    const fake = await started();
    fake.window.submit();
    await fake.tell(failed('provider_denied'));
    expect(fake.window.state.screen).to.have.nested.property('failure.logId', 'log-1');
    fake.window.tryAgain();
    expect(fake.at).to.equal('start');
  });

  it('lets the person choose, and sends one choice', async () => {
    const fake = await started();
    fake.window.submit();
    await fake.tell({ state: 'choosing', options: [{ id: 'one', label: 'One' }] });
    void fake.window.choose('one');
    void fake.window.choose('one');
    await fake.tell({ state: 'succeeded' });
    expect(fake.chosen).to.deep.equal(['one']);
    expect(fake.at).to.equal('success');
  });

  for (const [what, state, told, at] of [
    ['taken, and sent again as its answer was lost', 'succeeded', { state: 'succeeded' }, 'success'],
    ['the last step of a flow that fails', 'failed', failed('wrong_account'), 'failure'],
  ] as const) {
    it(`trusts the state of the flow over the refusal of a choice that was ${what}`, async () => {
      const fake = await chosen(new ApiError('server_error', { status: 409 }), state);
      expect(fake.types).to.not.include('error');
      await fake.tell(told);
      expect(fake.at).to.equal(at);
      const codes = fake.messages.flatMap((message) => (message.type === 'error' ? [message.payload.code] : []));
      expect(codes).to.deep.equal(at === 'failure' ? ['wrong_account'] : []);
    });
  }

  it('lets the person choose again if the choice failed', async () => {
    const fake = await chosen(new ApiError('provider_unreachable', { status: 502 }), 'choosing');
    await fake.tell({ state: 'choosing', options: OPTIONS });
    const { screen } = fake.window.state;
    expect(screen).to.deep.include({ at: 'choosing', isSending: false });
    expect(screen).to.have.nested.property('failure.code', 'provider_unreachable');
    fake.answerChoice = async () => {};
    void fake.window.choose('one');
    expect(fake.window.state.screen).to.deep.include({ isSending: true, failure: null });
    await fake.tell({ state: 'succeeded' });
    expect(fake.at).to.equal('success');
    expect(fake.types.filter((type) => type === 'error')).to.have.length(1);
  });

  it('ignores the refusal of a choice when the person has started over', async () => {
    const fake = await chosen(new ApiError('server_error', { status: 409 }), 'choosing', (window) => window.startOver());
    expect(fake.at).to.equal('start');
    expect(fake.types).to.not.include('error');
  });

  it('goes back from the choice to the first screen, and cancels the flow', async () => {
    const fake = await started();
    fake.window.submit();
    await fake.tell({ state: 'choosing', options: [{ id: 'one', label: 'One' }] });
    expect(fake.window.back()).to.equal(true);
    expect(fake.at).to.equal('start');
    expect(fake.cancelled).to.deep.equal([fake.created[0]?.id]);
  });
});
