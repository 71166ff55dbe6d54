import { REFRESH_TIMES, type RefreshTimes } from '../../core/credentials/refresh-times.ts';
import { Program } from '../core/db/programs/program.ts';
import type { Service } from './connect.ts';
import { freePort } from './free-port.ts';
import { client } from './http-client.ts';
import type { Installation } from './installation.ts';

/** An instance of the service in its own process, which a test may pause and kill. Disposal kills it, even if it is paused. */
export interface ScaledInstance extends Service, AsyncDisposable {
  readonly program: Program;
}

/** Returns the durations that control refreshes in production, each multiplied by the factor. */
export function scaledTimes(factor: number): RefreshTimes {
  const { whileUsable, otherwise } = REFRESH_TIMES.patienceMs;
  return {
    leaseSeconds: REFRESH_TIMES.leaseSeconds * factor,
    heartbeatMs: REFRESH_TIMES.heartbeatMs * factor,
    graceSeconds: REFRESH_TIMES.graceSeconds * factor,
    callMs: REFRESH_TIMES.callMs * factor,
    patienceMs: { whileUsable: whileUsable * factor, otherwise: otherwise * factor },
    slowAfterMs: REFRESH_TIMES.slowAfterMs * factor,
    reauthorizationMs: REFRESH_TIMES.reauthorizationMs * factor,
  };
}

export async function startScaled(installation: Installation, factor: number): Promise<ScaledInstance> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const env = { ...installation.env, PORT: String(port), SVC_BASE_URL: url };
  const program = new Program('../../../faults/programs/serve', { env, refreshTimes: scaledTimes(factor) });
  if ((await program.nextLine()) !== 'ready') throw new Error('the instance did not start');
  return {
    url,
    api: client(url, installation.env.SVC_BOOTSTRAP_API_KEY),
    program,
    async [Symbol.asyncDispose]() {
      program.process.kill('SIGCONT');
      await program.kill();
    },
  };
}
