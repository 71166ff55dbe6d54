import { expect } from 'chai';
import { ServiceError } from '../../../core/errors.ts';
import { Retries, type RetryHints, wishedWaitMs } from '../../../core/proxy/retries.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

interface Case {
  readonly method?: string;
  readonly retries?: number;
  readonly retryOn?: readonly number[];
  readonly firstByteMs?: number;
  readonly hasIdempotencyKey?: boolean;
  readonly hints?: RetryHints;
}

function retriesFor({ method = 'GET', retries = 2, retryOn = [], firstByteMs = 60_000, ...rest }: Case = {}): Retries {
  const options = { retries, retryOn, firstByteMs };
  return new Retries({ method, options, hasIdempotencyKey: false, hints: {}, now: () => NOW, random: () => 0, ...rest });
}

function answer(status: number, headers: readonly string[] = []) {
  return { status, reason: '', headers };
}

describe('retries of a proxied call', () => {
  for (const status of [429, 500, 502, 503, 504, 599]) {
    it(`tries again after ${status} when asked`, () => {
      expect(retriesFor().isWanted(answer(status))).to.equal(true);
      expect(retriesFor({ retries: 0 }).isWanted(answer(status))).to.equal(false);
    });
  }
  for (const status of [200, 301, 400, 401, 404, 409]) {
    it(`takes ${status} for an answer unless it is listed`, () => {
      expect(retriesFor().isWanted(answer(status))).to.equal(false);
      expect(retriesFor({ retryOn: [status] }).isWanted(answer(status))).to.equal(true);
    });
  }
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']) {
    it(`repeats ${method}`, () => expect(retriesFor({ method }).isWanted(answer(503))).to.equal(true));
  }
  for (const method of ['POST', 'PATCH', 'PROPPATCH', 'LOCK']) {
    it(`repeats ${method} only with an Idempotency-Key`, () => {
      expect(retriesFor({ method }).isWanted(answer(503))).to.equal(false);
      expect(retriesFor({ method, hasIdempotencyKey: true }).isWanted(answer(503))).to.equal(true);
    });
  }

  it('tries again after network faults, not after refusals of our own', () => {
    expect(retriesFor().isWantedAfter(new ServiceError('provider_unreachable', ''))).to.equal(true);
    expect(retriesFor().isWantedAfter(new ServiceError('provider_timeout', ''))).to.equal(true);
    expect(retriesFor().isWantedAfter(new ServiceError('address_not_allowed', ''))).to.equal(false);
    expect(retriesFor({ method: 'POST' }).isWantedAfter(new ServiceError('provider_timeout', ''))).to.equal(false);
  });

  it('ends after the number asked for', () => {
    const retries = retriesFor({ retries: 2 });
    retries.take(answer(503));
    expect(retries.isWanted(answer(503))).to.equal(true);
    retries.take(answer(503));
    expect(retries.isWanted(answer(503))).to.equal(false);
  });

  it('waits longer each time when the provider names no wait', () => {
    const retries = retriesFor({ retries: 3 });
    expect([1, 2, 3].map(() => retries.take(answer(503)))).to.deep.equal([250, 500, 1000]);
  });

  it('honours the provider’s wait up to 60 s in total', () => {
    expect(retriesFor().take(answer(429, ['Retry-After', '59']))).to.equal(59_000);
    expect(retriesFor().take(answer(429, ['Retry-After', '60']))).to.equal(undefined);
    expect(retriesFor({ firstByteMs: 120_000 }).take(answer(429, ['Retry-After', '60']))).to.equal(60_000);
  });

  it('knows the statuses and the counter that the definition names', () => {
    expect(retriesFor({ hints: { error_code: '403' } }).isWanted(answer(403))).to.equal(true);
    expect(retriesFor({ hints: { error_code: '4xx' } }).isWanted(answer(418))).to.equal(true);
    expect(retriesFor({ hints: { error_code: '4xx' } }).isWanted(answer(200))).to.equal(false);
    const hints = { remaining: 'X-Remaining' };
    expect(retriesFor({ hints }).isWanted(answer(403, ['x-remaining', '0']))).to.equal(true);
    expect(retriesFor({ hints }).isWanted(answer(403, ['x-remaining', '1']))).to.equal(false);
    expect(retriesFor({ hints }).isWanted(answer(200, ['x-remaining', '0']))).to.equal(false);
  });
});

describe('the wait that an answer asks for', () => {
  const HINTS = { at: 'X-Reset', after: 'X-Wait' };
  const inFiveSeconds = NOW.getTime() + 5000;
  for (const [what, headers, ms] of [
    ['seconds', ['Retry-After', '7'], 7000],
    ['a date', ['retry-after', new Date(inFiveSeconds).toUTCString()], 5000],
    ['a date in the past', ['Retry-After', 'Thu, 01 Jan 1970 00:00:00 GMT'], 0],
    ['nonsense', ['Retry-After', 'soon'], undefined],
    ['nothing', [], undefined],
    ['the named header with seconds', ['X-Wait', '1.5'], 1500],
    ['the named header with epoch seconds', ['x-reset', String(inFiveSeconds / 1000)], 5000],
    ['the named header with epoch milliseconds', ['x-reset', String(inFiveSeconds)], 5000],
    ['several, of which the longest counts', ['X-Wait', '2', 'Retry-After', '9', 'X-Reset', '0'], 9000],
  ] as const) {
    it(`is read from ${what}`, () => {
      expect(wishedWaitMs(HINTS, answer(429, headers), NOW)).to.equal(ms);
    });
  }
});
