import { type Check, fail, ok, warn } from './check.ts';
import { portOf, type Visit } from './visit.ts';

const NAME = 'public-url';
const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

interface PublicUrl {
  readonly baseUrl: string;
  /** Where the service listens on this machine; undefined when that is not known. */
  readonly localUrl: string | undefined;
  readonly atBase: Visit;
  readonly atLocal: Visit | undefined;
}

/** Whether `SVC_BASE_URL`, from which every address that others get is made, leads to this installation. */
export function checkPublicUrl(seen: PublicUrl): Check {
  const { baseUrl, atBase } = seen;
  const { protocol, hostname } = new URL(baseUrl);
  switch (atBase.kind) {
    case 'ours':
      return protocol === 'http:' && !LOOPBACK.test(hostname)
        ? warn(
            NAME,
            `${baseUrl} leads here in plain http: keys and sign-ins can be read on the way`,
            'put TLS in front and use https',
          )
        : ok(NAME, `${baseUrl} leads to this installation`);
    case 'another':
      return fail(
        NAME,
        `at ${baseUrl} a service answers that does not have the encryption keys of this one`,
        'correct SVC_BASE_URL, or use the same settings as that service does',
      );
    case 'stranger':
      return fail(NAME, `at ${baseUrl} something else answers (${statusOf(atBase)})`, fixForStranger(atBase, seen));
    case 'silence':
      return unreachable(seen, atBase.reason);
  }
}

function statusOf({ answer }: Visit & { kind: 'stranger' }): string {
  const { location } = answer.headers;
  return `${answer.status}${location === undefined ? '' : ` to ${URL.parse(location)?.origin ?? location}`}`;
}

function fixForStranger({ answer }: Visit & { kind: 'stranger' }, seen: PublicUrl): string {
  const target = URL.parse(answer.headers['location'] ?? '');
  if (answer.status >= 300 && answer.status < 400 && target !== null)
    return `set SVC_BASE_URL to where it redirects to, if that is the service: ${target.origin}`;
  return seen.atLocal?.kind === 'ours'
    ? `let the reverse proxy there pass requests on to ${seen.localUrl}, or correct SVC_BASE_URL`
    : 'correct SVC_BASE_URL';
}

function unreachable({ baseUrl, localUrl, atLocal }: PublicUrl, reason: string): Check {
  const isDirect = LOOPBACK.test(new URL(baseUrl).hostname) && localUrl !== undefined;
  const ports = isDirect ? { base: portOf(new URL(baseUrl)), local: portOf(new URL(localUrl)) } : undefined;
  if (ports !== undefined && ports.base !== ports.local)
    return fail(
      NAME,
      `SVC_BASE_URL says port ${ports.base}, where nothing answers; the service listens on ${ports.local}`,
      `set SVC_BASE_URL to ${withPort(baseUrl, ports.local)}, or PORT to ${ports.base}`,
    );
  if (atLocal !== undefined && atLocal.kind !== 'silence')
    return fail(
      NAME,
      `the service runs at ${localUrl}, and ${baseUrl} does not lead there: ${reason}`,
      'correct SVC_BASE_URL, its DNS entry, or the reverse proxy and firewall on the way',
    );
  return warn(NAME, `nothing answers at ${baseUrl}, and the service does not run here`, 'start it and run doctor again');
}

function withPort(baseUrl: string, port: string): string {
  const url = new URL(baseUrl);
  url.port = port;
  return url.href.replace(/\/$/, '');
}
