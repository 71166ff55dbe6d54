import { isIP } from 'node:net';
import { abortable } from '../../kit/abortable.ts';
import { parseAllowList } from '../../kit/address-guard.ts';
import { type Resolver, resolveBySystem } from '../../kit/guarded-connect.ts';
import { type DoctorCheck, fail, ok, warn } from './check.ts';

const NAME = 'outbound';
const RESOLVE_MS = 5_000;
/** Address of cloud providers' instance metadata, which contains credentials. */
const METADATA_ADDRESS = '169.254.169.254';
/**
 * The shortest prefix lengths, in bits, that an allowed network may have without a warning: shorter ones are wider than any
 * private network.
 */
const WIDEST_BITS = { v4: 8, v6: 7 };

interface OutboundSettings {
  /** Entries of `SVC_OUTBOUND_ALLOW`. */
  readonly allow: readonly string[];
  readonly baseUrl: string;
  /** `SVC_OUTBOUND_PROXY`. */
  readonly proxy?: string | undefined;
}

/** Checks that names resolve, and that the allow list is not too wide. */
export async function checkOutbound(
  { allow, baseUrl, proxy }: OutboundSettings,
  resolve: Resolver = resolveBySystem,
): Promise<DoctorCheck> {
  const wide = allow.filter(isWide);
  if (wide.length > 0)
    return warn(NAME, `SVC_OUTBOUND_ALLOW allows whole networks (${wide.join(', ')})`, 'list individual hosts instead');
  if (parseAllowList(allow).opens(METADATA_ADDRESS, 80))
    return warn(
      NAME,
      `SVC_OUTBOUND_ALLOW allows ${METADATA_ADDRESS}, which serves cloud credentials`,
      'list individual hosts instead',
    );
  const names = namesOf(allow, proxy === undefined ? [baseUrl] : [baseUrl, proxy]);
  const unknown = await unresolved(names, resolve);
  if (unknown.length === names.length)
    return fail(NAME, `no name can be resolved (${names.join(', ')})`, 'configure a working name server');
  if (unknown.length > 0)
    return warn(
      NAME,
      `these names cannot be resolved: ${unknown.join(', ')}`,
      'correct SVC_BASE_URL, SVC_OUTBOUND_ALLOW, SVC_OUTBOUND_PROXY or the DNS',
    );
  return ok(NAME, `names resolve (${names.join(', ')}); ${allow.length} exceptions to the block on private addresses`);
}

function isWide(entry: string): boolean {
  const [network = '', bits] = entry.split('/');
  return bits !== undefined && Number(bits) < (isIP(network) === 4 ? WIDEST_BITS.v4 : WIDEST_BITS.v6);
}

/** Returns the host names to look up: only names from the settings, or `localhost` if they contain none. */
function namesOf(allow: readonly string[], urls: readonly string[]): readonly string[] {
  const hosts = [
    ...urls.map((url) => new URL(url).hostname),
    ...allow.filter((entry) => !entry.includes('/')).map((entry) => entry.replace(/:\d+$/, '')),
  ];
  const names = [...new Set(hosts.map((host) => host.replace(/^\[|\]$/g, '')))].filter((host) => isIP(host) === 0);
  return names.length > 0 ? names : ['localhost'];
}

async function unresolved(names: readonly string[], resolve: Resolver): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(RESOLVE_MS);
  const isKnown = (name: string) =>
    abortable(signal, resolve(name)).then(
      (addresses) => addresses.length > 0,
      () => false,
    );
  const known = await Promise.all(names.map(isKnown));
  return names.filter((_, index) => !known[index]);
}
