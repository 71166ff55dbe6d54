import { expect } from 'chai';
import { Resources } from '../../../ui/dashboard/app/resources.ts';
import { ApiError } from '../../../ui/kit/api-error.ts';

const PATH = 'api/ui/me';
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a resource that pages read', () => {
  function start() {
    const asked: { path: string; signal: AbortSignal; answer: (value: unknown) => void; refuse: (error: Error) => void }[] = [];
    const pauses: number[] = [];
    let now = Date.parse('2026-11-23T10:00:00Z');
    const resources = new Resources({
      read: (path, signal) => new Promise((answer, refuse) => asked.push({ path, signal, answer, refuse })),
      now: () => new Date(now),
      pause: async (ms) => void pauses.push(ms),
      online: async () => undefined,
    });
    const told: number[] = [];
    const watch = (path = PATH) => resources.subscribe(path, () => told.push(1));
    return { resources, asked, pauses, told, watch, wait: (ms: number) => (now += ms) };
  }

  it('is requested once for all watchers, and shown at once afterwards', async () => {
    const { resources, asked, watch } = start();
    watch();
    watch();
    await settled();
    expect(asked).to.have.length(1);
    asked[0]?.answer('first');
    await settled();
    expect(resources.get(PATH)).to.include({ value: 'first', isLoading: false });
    watch();
    await settled();
    expect(asked).to.have.length(1);
  });

  it('is requested again when it is stale, and shown meanwhile', async () => {
    const { resources, asked, watch, wait } = start();
    watch();
    await settled();
    asked[0]?.answer('first');
    await settled();
    wait(6_000);
    resources.refresh();
    await settled();
    expect(resources.get(PATH)).to.include({ value: 'first', isLoading: true });
    asked[1]?.answer('second');
    await settled();
    expect(resources.get(PATH).value).to.equal('second');
  });

  it('is requested again after a change, even if its watcher leaves before the response', async () => {
    const { resources, asked, watch } = start();
    const leave = watch();
    await settled();
    asked[0]?.answer('before the change');
    await settled();
    resources.invalidate(PATH);
    leave();
    watch();
    await settled();
    expect(asked).to.have.length(3);
    asked[2]?.answer('after it');
    await settled();
    expect(resources.get(PATH).value).to.equal('after it');
    watch();
    await settled();
    expect(asked).to.have.length(3);
  });

  it('is not waited for without a watcher', async () => {
    const { resources, asked, watch } = start();
    watch()();
    await settled();
    expect([asked[0]?.signal.aborted, resources.get(PATH).isLoading]).to.deep.equal([true, false]);
  });

  it('is retried three times without a response, but never after a refusal', async () => {
    const { resources, asked, pauses, watch } = start();
    watch();
    for (let failure = 0; failure < 3; failure += 1) {
      await settled();
      asked.at(-1)?.refuse(new ApiError('no_response', { status: 0 }));
    }
    await settled();
    expect([asked.length, pauses, resources.get(PATH).error?.code]).to.deep.equal([3, [400, 1_500], 'no_response']);
    watch('api/ui/other');
    await settled();
    asked.at(-1)?.refuse(new ApiError('forbidden', { status: 403 }));
    await settled();
    expect([asked.length, resources.get('api/ui/other').error?.code]).to.deep.equal([4, 'forbidden']);
  });

  it('keeps its value when a later request fails', async () => {
    const { resources, asked, watch } = start();
    watch();
    await settled();
    asked[0]?.answer('first');
    await settled();
    void resources.load(PATH);
    await settled();
    asked[1]?.refuse(new ApiError('server_error', { status: 500 }));
    await settled();
    expect(resources.get(PATH)).to.include({ value: 'first' });
    expect(resources.get(PATH).error?.code).to.equal('server_error');
  });

  it('is reloaded after a change if it is watched, even during a request, and otherwise forgotten', async () => {
    const { resources, asked, watch } = start();
    resources.put('api/ui/keys/1', 'hidden');
    watch('api/ui/keys');
    await settled();
    resources.invalidate('api/ui/keys');
    await settled();
    expect([asked.length, asked[0]?.signal.aborted]).to.deep.equal([2, true]);
    asked[0]?.answer('before the change');
    asked[1]?.answer('after it');
    await settled();
    expect(resources.get('api/ui/keys').value).to.equal('after it');
    expect(resources.get('api/ui/keys/1').value).to.equal(undefined);
  });

  it('is reported to observers with its time while it is watched', async () => {
    const { resources, asked, watch } = start();
    const seen: number[] = [];
    resources.observe(() => seen.push(resources.watched((path) => path !== 'api/ui/hidden').length));
    resources.put('api/ui/hidden', 'of no interest');
    const leave = watch();
    watch('api/ui/hidden');
    await settled();
    asked[0]?.answer('first');
    await settled();
    const [only] = resources.watched((path) => path === PATH);
    expect(only).to.deep.include({ value: 'first', loadedAt: new Date('2026-11-23T10:00:00Z') });
    leave();
    expect([seen.at(0), seen.at(-1), resources.watched((path) => path === PATH)]).to.deep.equal([0, 0, []]);
  });

  it('is kept until a change if it is a list of several loaded pages', async () => {
    const { resources, asked, watch, wait } = start();
    resources.put(PATH, ['a', 'b'], true);
    wait(60_000);
    watch();
    resources.refresh();
    await settled();
    expect(asked).to.have.length(0);
    resources.invalidate(PATH);
    await settled();
    expect(asked).to.have.length(1);
  });
});
