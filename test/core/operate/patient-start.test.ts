import { expect } from 'chai';
import { createLogger } from '../../../core/kit/logger.ts';
import { whenDatabaseResponds } from '../../../core/operate/patient-start.ts';
import { databaseFaultOf, explain } from '../../../core/operate/start-fault.ts';

const LIBRARIES = /knex|pool|KnexTimeoutError|SASL|ECONN.*connect ECONN/i;

function fault(message: string, members: object = {}): Error {
  return Object.assign(new Error(message), members);
}

/** The error that knex 3.3 throws when it gets no connection in time. */
const ACQUIRING = fault('Knex: Timeout acquiring a connection. The pool is probably full.', { name: 'KnexTimeoutError' });
const REFUSED = fault('connect ECONNREFUSED 127.0.0.1:5432', {
  code: 'ECONNREFUSED',
  syscall: 'connect',
  address: '127.0.0.1',
  port: 5432,
});

describe('a start without its database', () => {
  const lines: Record<string, unknown>[] = [];
  const log = createLogger({ level: 'info', write: (line) => lines.push(JSON.parse(line)) });
  let clock = 0;

  beforeEach(() => {
    clock = 0;
    lines.length = 0;
  });

  /**
   * Retries `step` until it succeeds, by a fake clock that advances only by the attempts and the pauses between them.
   *
   * @param takesMs the duration of each attempt, without the pauses
   */
  function start(step: () => Promise<string>, { takesMs = 0, signal = new AbortController().signal } = {}): Promise<string> {
    const attempt = () => {
      clock += takesMs;
      return step();
    };
    const pause = async (ms: number) => {
      clock += ms;
    };
    return whenDatabaseResponds(attempt, { log, signal, now: () => clock, pause });
  }

  it('retries for 60 s after the first fault, pauses at most 5 s at a time, and logs what it waits for', async () => {
    let attempts = 0;
    const reason = await start(async () => {
      attempts += 1;
      throw REFUSED;
    }).catch((error: unknown) => error);
    expect(reason).to.equal(REFUSED);
    expect(clock).to.equal(60_000);
    expect(attempts).to.be.within(14, 40);
    expect(lines[0]).to.deep.include({
      level: 'warn',
      message: 'waiting for the database',
      reason: 'nothing listens at its address (ECONNREFUSED 127.0.0.1:5432)',
      leftSeconds: 60,
    });
    expect(lines).to.have.length(attempts - 1);
  });

  it('counts the 60 s from the first fault, not from the beginning of a long migration', async () => {
    let attempts = 0;
    const result = await start(
      async () => {
        attempts += 1;
        if (attempts === 1) throw ACQUIRING;
        return 'started';
      },
      { takesMs: 600_000 },
    );
    expect(result).to.equal('started');
  });

  for (const code of ['28P01', '28000', '3D000', '42501']) {
    it(`gives up at once on the Postgres error ${code}`, async () => {
      const refusal = fault('from the server', { code });
      const reason = await start(() => Promise.reject(refusal)).catch((error: unknown) => error);
      expect(reason).to.equal(refusal);
      expect([clock, lines]).to.deep.equal([0, []]);
    });
  }

  it('stops waiting when the process is asked to end', async () => {
    const end = new AbortController();
    const reason = await start(
      async () => {
        end.abort();
        throw REFUSED;
      },
      { signal: end.signal },
    ).catch((error: unknown) => error);
    expect(reason).to.equal(end.signal.reason);
  });

  describe('is explained without the words of the libraries', () => {
    for (const [what, error, words] of [
      ['no connection in time', ACQUIRING, 'it does not respond'],
      ['a slow statement', fault('Query read timeout'), 'it does not respond'],
      ['nothing that listens', REFUSED, 'nothing listens at its address (ECONNREFUSED 127.0.0.1:5432)'],
      [
        'nothing that listens at any address of a name',
        Object.assign(new AggregateError([REFUSED, { ...REFUSED, address: '::1' }]), { code: 'ECONNREFUSED' }),
        'nothing listens at its address (ECONNREFUSED 127.0.0.1:5432 ::1:5432)',
      ],
      ['starting', fault('the database system is starting up', { code: '57P03' }), 'it is starting or shutting down (57P03)'],
      ['full', fault('sorry, too many clients already', { code: '53300' }), 'all its connections are in use (53300)'],
      ['a wrong password', fault('password authentication failed', { code: '28P01' }), 'does not accept this user or password'],
      [
        'no password',
        fault('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'),
        'asks for a password; add the password to DATABASE_URL',
      ],
      ['no TLS', fault('The server does not support SSL connections'), 'it does not support TLS'],
      [
        'a certificate',
        fault('self-signed certificate', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }),
        'its certificate is not trusted',
      ],
    ] as const) {
      it(what, () => expect(explain(error)).to.contain(words).and.not.match(LIBRARIES));
    }

    it('a missing file, in the words of its own error', () => {
      const missing = fault("ENOENT: no such file or directory, open 'password'", { code: 'ENOENT', syscall: 'open' });
      expect(databaseFaultOf(missing)).to.equal(undefined);
      expect(explain(missing)).to.equal(missing.message);
    });
  });
});
