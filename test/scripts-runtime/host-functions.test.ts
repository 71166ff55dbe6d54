import { expect } from 'chai';
import { type HostFunction, ScriptCallError } from '../../scripts-runtime/script-run.ts';
import { openScripts, until } from '../support/script-host.ts';
import { use } from '../support/use.ts';

const CANARY = 'canary-5f2e9a71c3';
const REPORT = `export default async (svc) => {
  try { return { value: await svc.getMetadata() }; }
  catch (error) {
    const { name, message, code, status, stack } = error;
    return { name, message, code, status, stack, is: error instanceof svc.ScriptError, keys: Reflect.ownKeys(error) };
  }
};`;

const throws =
  (error: unknown): HostFunction =>
  () => {
    throw error;
  };

const FAILURES: Readonly<Record<string, HostFunction>> = {
  'an error with a path': throws(new Error(`ENOENT: no such file, open '/srv/${CANARY}/key.pem'`)),
  'an error with a statement': throws(
    Object.assign(new Error(`select ${CANARY} from keys`), { code: '42P01', detail: CANARY, query: CANARY }),
  ),
  'an error with a request': throws(
    Object.assign(new Error('x'), { config: { headers: { authorization: CANARY } }, status: 500, message: CANARY }),
  ),
  'an error that looks like one of ours': throws(
    Object.assign(new Error(CANARY), { name: 'ScriptCallError', code: 'a', status: 400 }),
  ),
  'an error with a cause': throws(new ScriptCallError('refused', 'the call was refused', { cause: new Error(CANARY) })),
  'a text': throws(CANARY),
  'an object': throws({ code: CANARY, message: CANARY, toString: () => CANARY }),
  'a getter that throws': throws({
    get message(): string {
      throw new Error(CANARY);
    },
  }),
  'a rejection later': () => new Promise((_, reject) => setTimeout(() => reject(new Error(CANARY)), 5)),
  'a response that is a circle': async () => {
    const all: Record<string, unknown> = { CANARY };
    all['all'] = all;
    return all;
  },
  'a response that is no data': async () => 10n,
  'a response whose toJSON throws': async () => ({
    toJSON() {
      throw new Error(CANARY);
    },
  }),
};

describe('SBX-06: host functions that fail', function () {
  const scripts = use(this, openScripts);

  for (const [name, getMetadata] of Object.entries(FAILURES)) {
    it(`give the script a code and a safe message, not ${name}`, async () => {
      const outcome = await scripts.run(REPORT, { hostFunctions: { getMetadata }, limits: { timeoutMs: 10_000 } });
      const result = outcome.result as Record<string, unknown>;
      const isMeant = name === 'an error with a cause';
      expect(result['code']).to.equal(isMeant ? 'refused' : 'internal_error');
      expect(result['message']).to.equal(isMeant ? 'the call was refused' : 'the call failed');
      expect(result['is']).to.equal(true);
      expect(result['keys']).to.have.members(['stack', 'message', 'code']);
      expect(JSON.stringify(outcome)).not.to.match(new RegExp(`${CANARY}|file:|node:|/srv|select|at .*\\.ts`));
    });
  }

  it('pass on errors that are meant for scripts', async () => {
    const getMetadata = throws(new ScriptCallError('rate_limited', 'too many requests', { status: 429 }));
    const { result } = await scripts.run(REPORT, { hostFunctions: { getMetadata }, limits: { timeoutMs: 10_000 } });
    expect(result).to.deep.include({ name: 'ScriptError', code: 'rate_limited', message: 'too many requests', status: 429 });
  });

  it('return no more than the limit', async () => {
    const outcome = await scripts.run(REPORT, {
      hostFunctions: { getMetadata: async () => 'x'.repeat(2_000) },
      limits: { timeoutMs: 10_000, responseBytes: 1_000 },
    });
    expect(outcome.result).to.deep.include({ code: 'answer_too_large' });
  });

  it('get an abort signal when the run ends', async () => {
    const aborted: string[] = [];
    const getMetadata: HostFunction = (_, signal) =>
      new Promise(() => signal.addEventListener('abort', () => aborted.push('metadata')));
    const outcome = await scripts.run(REPORT, { hostFunctions: { getMetadata } });
    expect(outcome.cause).to.equal('timeout');
    await until(() => aborted.length === 1, 10_000);
  });
});

describe('SBX-03: the rights of a run', function () {
  const scripts = use(this, openScripts);

  it('belong to that run: another run has other functions under the same names', async () => {
    const source =
      'export default async (svc) => [svc.connectionId, await svc.getMetadata("other-connection", { connectionId: "other" })];';
    const results = await Promise.all(
      ['a', 'b', 'c', 'd'].map((id) =>
        scripts.run(source, {
          environmentKey: id,
          facts: { connectionId: id },
          hostFunctions: { getMetadata: async () => `of ${id}` },
          limits: { timeoutMs: 10_000 },
        }),
      ),
    );
    expect(results.map(({ result }) => result)).to.deep.equal(['a', 'b', 'c', 'd'].map((id) => [id, `of ${id}`]));
  });

  it('do not grow when the script changes `svc`', async () => {
    const source = `export default async (svc) => {
      try { svc.connectionId = 'other'; } catch {}
      try { Object.defineProperty(svc, 'providerConfigKey', { value: 'other' }); } catch {}
      try { Object.setPrototypeOf(svc, { a: 1 }); } catch {}
      const answer = await svc.setMetadata({ connectionId: 'other' });
      return [svc.connectionId, svc.providerConfigKey, svc.a === undefined, Object.isFrozen(svc), answer];
    };`;
    const { result } = await scripts.run(source, {
      hostFunctions: { setMetadata: async (args) => args },
      limits: { timeoutMs: 10_000 },
    });
    expect(result).to.deep.equal(['connection-1', 'key-1', true, true, [{ connectionId: 'other' }]]);
  });

  it('exclude functions that the host does not provide', async () => {
    const names = ['getIntegration', 'getConnection', 'getMetadata', 'setMetadata', 'updateMetadata', 'proxy'];
    const source = `export default (svc) =>
      Promise.all(${JSON.stringify(names)}.map((name) => svc[name]({}).catch(({ code }) => code)));`;
    const { result } = await scripts.run(source, { limits: { timeoutMs: 10_000 } });
    expect(result).to.deep.equal(names.map(() => 'not_available'));
  });
});
