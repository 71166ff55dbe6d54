import type { Config } from '../../config/schema.ts';
import type { Clock } from '../../kit/clock.ts';
import type { KeyRing } from '../../kit/key-ring.ts';
import { type Check, warn } from './check.ts';
import { checkPublicUrl } from './public-url.ts';
import { checkForwarding, checkLargeHeaders, checkUpgrade, FORGED_CLIENT, LARGE_HEADER_BYTES } from './reverse-proxy.ts';
import { type Visit, visit, visitAsSocket } from './visit.ts';

interface Network {
  readonly config: Pick<Config, 'SVC_BASE_URL' | 'HOST' | 'PORT'>;
  /** Undefined: there are none yet. */
  readonly keys: KeyRing | undefined;
  readonly clock: Clock;
}

export interface NetworkView {
  readonly checks: readonly Check[];
  /** How far the service's clock is ahead of ours; undefined when it does not answer. */
  readonly serviceAheadMs: number | undefined;
}

/** Calls the service as others do, and compares what was sent with what arrived. */
export async function examineNetwork({ config, keys, clock }: Network): Promise<NetworkView> {
  const baseUrl = config.SVC_BASE_URL;
  const localUrl = listeningAt(config);
  const [atBase, atLocal] = await Promise.all([
    visit({ baseUrl, keys, clock }),
    localUrl === undefined ? undefined : visit({ baseUrl: localUrl, keys, clock }),
  ]);
  const publicUrl = checkPublicUrl({ baseUrl, localUrl, atBase, atLocal });
  if (atBase.kind !== 'ours') {
    const unseen = warn('proxy-headers', 'were not looked at: SVC_BASE_URL does not lead here', 'mend public-url first');
    return { checks: [publicUrl, unseen], serviceAheadMs: aheadMs(atLocal) };
  }
  const [forged, large, upgrade] = await Promise.all([
    visit({ baseUrl, keys, clock }, { 'x-forwarded-for': FORGED_CLIENT }),
    visit({ baseUrl, keys, clock }, { 'svc-padding': 'x'.repeat(LARGE_HEADER_BYTES) }),
    visitAsSocket({ baseUrl, keys }),
  ]);
  const forwarding = checkForwarding({ baseUrl, localUrl, sighting: atBase.sighting, forged });
  return {
    checks: [publicUrl, forwarding, checkUpgrade(upgrade), checkLargeHeaders(large)],
    serviceAheadMs: aheadMs(atBase),
  };
}

function aheadMs(seen: Visit | undefined): number | undefined {
  return seen?.kind === 'ours' ? seen.aheadMs : undefined;
}

/** An address that stands for all of a machine is not one to call. */
function listeningAt({ HOST, PORT }: Network['config']): string | undefined {
  if (PORT === 0) return undefined;
  const host = HOST === '0.0.0.0' ? '127.0.0.1' : HOST === '::' ? '::1' : HOST;
  return `http://${host.includes(':') ? `[${host}]` : host}:${PORT}`;
}
