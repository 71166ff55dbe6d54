import { expect } from 'chai';
import { DEFAULT_LIMITS } from '../../scripts-runtime/limits.ts';
import type { ChildMessage } from '../../scripts-runtime/protocol.ts';
import { RunState } from '../../scripts-runtime/run-state.ts';
import type { HostFunction } from '../../scripts-runtime/script-run.ts';

const LIMITS = { ...DEFAULT_LIMITS, calls: 5, openCalls: 2, logLines: 3 };

/** Creates a run that records how it reacts to messages, among them those that the real child never sends. */
function newRun(hostFunctions: Readonly<Record<string, HostFunction>> = {}) {
  const responses: unknown[] = [];
  const kills: string[] = [];
  const run = { environmentKey: 'a', source: '', entry: 'default', facts: {}, args: [], hostFunctions } as const;
  const state = new RunState(run, LIMITS, {
    respond: (id, ok, body) => responses.push([id, ok, JSON.parse(body)]),
    kill: (cause) => kills.push(cause),
  });
  const receive = (message: ChildMessage, body = '') => state.receive(message, body);
  return { state, receive, responses, kills };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('SBX-03: messages of a child are checked', () => {
  for (const name of ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'getConnections', '', 'x'.repeat(1_000)]) {
    it(`a call of a function named ${name.slice(0, 20) || 'nothing'} is refused`, async () => {
      const run = newRun({ getMetadata: async () => 1 });
      run.receive({ type: 'call', id: 1, name }, '[]');
      await nextTurn();
      expect(run.responses).to.have.length(1);
      expect(run.responses[0]).to.deep.include(false);
      expect(JSON.stringify(run.responses)).to.contain('not_available').and.have.length.below(300);
    });
  }

  for (const body of ['', '{}', '"a"', '[', `${'['.repeat(200)}${']'.repeat(200)}`, 'null']) {
    it(`arguments ${body.slice(0, 10) || '(none)'} are refused`, async () => {
      const called: unknown[] = [];
      const run = newRun({ getMetadata: async (args) => called.push(args) });
      run.receive({ type: 'call', id: 1, name: 'getMetadata' }, body);
      await nextTurn();
      expect(run.responses).to.deep.equal([
        [1, false, { code: 'invalid_arguments', message: 'the arguments are not plain data' }],
      ]);
      expect(called).to.deep.equal([]);
    });
  }

  it('more calls than allowed, at a time or in all, or an ID used twice end the run', async () => {
    const never = newRun({ getMetadata: () => new Promise(() => {}) });
    for (const id of [1, 2, 3]) never.receive({ type: 'call', id, name: 'getMetadata' }, '[]');
    expect(never.kills).to.deep.equal(['too_many_calls']);

    const twice = newRun({ getMetadata: () => new Promise(() => {}) });
    for (const id of [1, 1]) twice.receive({ type: 'call', id, name: 'getMetadata' }, '[]');
    expect(twice.kills).to.deep.equal(['too_many_calls']);

    const many = newRun({ getMetadata: async () => 1 });
    for (let id = 1; id <= 6; id += 1) {
      many.receive({ type: 'call', id, name: 'getMetadata' }, '[]');
      await nextTurn();
    }
    expect([many.responses.length, many.kills]).to.deep.equal([5, ['too_many_calls']]);
  });

  it('a log that continues after the note about its limit ends the run', () => {
    const run = newRun();
    for (let line = 0; line < 5; line += 1) run.receive({ type: 'log' }, '{"level":"info","message":"a"}');
    expect([run.state.log.length, run.kills]).to.deep.equal([4, ['too_many_messages']]);
  });

  for (const line of ['', '[]', 'null', '{"level":"info"}', '{"level":"fatal","message":"a"}', '{"level":"info","message":[]}']) {
    it(`a log line ${line || '(empty)'} is not stored as it is`, () => {
      const run = newRun();
      run.receive({ type: 'log' }, line);
      const isNoData = line === '';
      expect([run.state.log.length, run.kills.length]).to.deep.equal(isNoData ? [1, 0] : [0, 1]);
    });
  }

  it('the first ending counts, and there are no responses after it', async () => {
    const run = newRun({ getMetadata: async () => 1 });
    run.receive({ type: 'call', id: 1, name: 'getMetadata' }, '[]');
    run.receive({ type: 'done' }, '1');
    run.receive({ type: 'done' }, '2');
    await nextTurn();
    expect(run.state.ending).to.deep.equal({ status: 'done', result: 1 });
    expect(run.responses).to.deep.equal([]);
  });

  it('only texts and numbers of a failure are stored', () => {
    const run = newRun();
    run.receive(
      { type: 'failed', cause: 'script_error' },
      '{"name":1,"message":{"a":1},"status":"x","stack":["a"],"line":2,"more":true}',
    );
    expect(run.state.ending?.error).to.deep.equal({ name: 'Error', message: '', line: 2 });
  });
});
