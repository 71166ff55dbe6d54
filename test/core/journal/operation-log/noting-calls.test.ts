import { expect } from 'chai';
import { notingCalls } from '../../../../core/journal/operation-log/noting-calls.ts';
import { tellObserver } from '../../../../core/kit/outbound-observer.ts';

const CALL = { method: 'GET', host: 'api.example', result: 200, durationMs: 1 } as const;

describe('the calls of an operation', () => {
  it('leave room for its own messages, however many they are', async () => {
    const noted: string[] = [];
    await notingCalls(
      (level, message) => noted.push(`${level} ${message}`),
      async () => {
        tellObserver({ ...CALL, result: 'timeout' });
        for (let count = 0; count < 60; count += 1) tellObserver(CALL);
      },
    );
    expect(noted.slice(0, 2)).to.deep.equal(['warn GET api.example → timeout', 'info GET api.example → 200']);
    expect(noted).to.have.length(10);
  });

  it('are not noted once the operation is over', async () => {
    const noted: string[] = [];
    await notingCalls(
      (_, message) => noted.push(message),
      async () => undefined,
    );
    tellObserver(CALL);
    expect(noted).to.deep.equal([]);
  });
});
