import { isIP } from 'node:net';
import { parseAllowList } from '../../kit/address-guard.ts';
import { type Resolver, resolveBySystem } from '../../kit/guarded-connect.ts';
import { orAborted } from '../../kit/or-aborted.ts';
import { type Check, fail, ok, warn } from './check.ts';

const NAME = 'outbound';
const RESOLVE_MS = 5_000;
/** Where clouds tell a machine its secrets. */
const METADATA_ADDRESS = '169.254.169.254';
/** Wider than any private network there is. */
const WIDEST_BITS = { v4: 8, v6: 7 };

interface OutboundSettings {
  /** As `SVC_OUTBOUND_ALLOW`. */
  readonly allow: readonly string[];
  readonly baseUrl: string;
}

/** Whether names can be looked up, and whether the allow list opens more than anybody means. */
export async function checkOutbound({ allow, baseUrl }: OutboundSettings, resolve: Resolver = resolveBySystem): Promise<Check> {
  const wide = allow.filter(isWide);
  if (wide.length > 0)
    return warn(NAME, `SVC_OUTBOUND_ALLOW opens whole networks (${wide.join(', ')})`, 'name the hosts that are meant');
  if (parseAllowList(allow).opens(METADATA_ADDRESS, 80))
    return warn(NAME, `SVC_OUTBOUND_ALLOW opens ${METADATA_ADDRESS}, where clouds keep secrets`, 'name the hosts that are meant');
  const names = namesOf(allow, baseUrl);
  const unknown = await unresolved(names, resolve);
  if (unknown.length === names.length)
    return fail(NAME, `no name can be looked up (${names.join(', ')})`, 'give this machine a name server that answers');
  if (unknown.length > 0)
    return warn(
      NAME,
      `these names cannot be looked up: ${unknown.join(', ')}`,
      'correct SVC_BASE_URL or SVC_OUTBOUND_ALLOW, or the DNS',
    );
  return ok(NAME, `names are looked up (${names.join(', ')}); ${allow.length} exceptions from the guard against inner addresses`);
}

function isWide(entry: string): boolean {
  const [network = '', bits] = entry.split('/');
  return bits !== undefined && Number(bits) < (isIP(network) === 4 ? WIDEST_BITS.v4 : WIDEST_BITS.v6);
}

/** The names that the settings themselves speak of: no others are asked for. */
function namesOf(allow: readonly string[], baseUrl: string): readonly string[] {
  const hosts = [
    new URL(baseUrl).hostname,
    ...allow.filter((entry) => !entry.includes('/')).map((entry) => entry.replace(/:\d+$/, '')),
  ];
  const names = [...new Set(hosts.map((host) => host.replace(/^\[|\]$/g, '')))].filter((host) => isIP(host) === 0);
  return names.length > 0 ? names : ['localhost'];
}

async function unresolved(names: readonly string[], resolve: Resolver): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(RESOLVE_MS);
  const isKnown = (name: string) =>
    orAborted(signal, resolve(name)).then(
      (addresses) => addresses.length > 0,
      () => false,
    );
  const known = await Promise.all(names.map(isKnown));
  return names.filter((_, index) => !known[index]);
}
