import { portOf } from '../../kit/address-guard.ts';
import { isLoopback } from '../../kit/loopback.ts';
import { type DoctorCheck, fail, ok, warn } from './check.ts';
import type { ProbeResult } from './health-probe.ts';

const NAME = 'public-url';

interface PublicUrlProbes {
  readonly baseUrl: string;
  /** URL at which the service listens on this machine; undefined when unknown. */
  readonly localUrl: string | undefined;
  readonly atBase: ProbeResult;
  readonly atLocal: ProbeResult | undefined;
}

/** Checks whether `SVC_BASE_URL`, the base of every public URL, reaches this installation. */
export function checkPublicUrl(probes: PublicUrlProbes): DoctorCheck {
  const { baseUrl, atBase } = probes;
  const { protocol, hostname } = new URL(baseUrl);
  switch (atBase.kind) {
    case 'this-installation':
      return protocol === 'http:' && !isLoopback(hostname)
        ? warn(
            NAME,
            `${baseUrl} uses plain http: keys and sign-ins can be read in transit`,
            'terminate TLS in front of the service and use https',
          )
        : ok(NAME, `${baseUrl} reaches this installation`);
    case 'other-installation':
      return fail(
        NAME,
        `${baseUrl} reaches an installation with other encryption keys`,
        'correct SVC_BASE_URL, or use the same settings as that service',
      );
    case 'other-server':
      return fail(NAME, `another server responds at ${baseUrl} (${statusOf(atBase)})`, fixForOtherServer(atBase, probes));
    case 'unreachable':
      return unreachable(probes, atBase);
  }
}

function statusOf({ response }: ProbeResult & { kind: 'other-server' }): string {
  const { location } = response.headers;
  return `${response.status}${location === undefined ? '' : ` to ${URL.parse(location)?.origin ?? location}`}`;
}

function fixForOtherServer({ response }: ProbeResult & { kind: 'other-server' }, probes: PublicUrlProbes): string {
  const target = URL.parse(response.headers['location'] ?? '');
  if (response.status >= 300 && response.status < 400 && target !== null)
    return `if the service runs where this redirects to, set SVC_BASE_URL to ${target.origin}`;
  return probes.atLocal?.kind === 'this-installation'
    ? `configure the reverse proxy to forward requests to ${probes.localUrl}, or correct SVC_BASE_URL`
    : 'correct SVC_BASE_URL';
}

function unreachable(
  { baseUrl, localUrl, atLocal }: PublicUrlProbes,
  { reason, certificateFault }: ProbeResult & { kind: 'unreachable' },
): DoctorCheck {
  if (certificateFault !== undefined)
    return fail(
      NAME,
      `the certificate of ${baseUrl} is not trusted by this machine (${certificateFault})`,
      fixForCertificate(certificateFault),
    );
  const isDirect = isLoopback(new URL(baseUrl).hostname) && localUrl !== undefined;
  const ports = isDirect ? { base: portOf(new URL(baseUrl)), local: portOf(new URL(localUrl)) } : undefined;
  if (ports !== undefined && ports.base !== ports.local)
    return fail(
      NAME,
      `SVC_BASE_URL has port ${ports.base}, where nothing responds; the service listens on ${ports.local}`,
      `set SVC_BASE_URL to ${withPort(baseUrl, ports.local)}, or PORT to ${ports.base}`,
    );
  if (atLocal !== undefined && atLocal.kind !== 'unreachable')
    return fail(
      NAME,
      `the service runs at ${localUrl}, but ${baseUrl} does not reach it: ${reason}`,
      'correct SVC_BASE_URL, its DNS entry, or the reverse proxy or firewall in between',
    );
  return warn(NAME, `nothing responds at ${baseUrl}, and the service does not run here`, 'start it and run doctor again');
}

function fixForCertificate(fault: string): string {
  if (fault === 'CERT_HAS_EXPIRED') return 'renew it';
  if (fault === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'set SVC_BASE_URL to a host name of the certificate, or replace it';
  return 'name its CA in NODE_EXTRA_CA_CERTS, here and for the service';
}

function withPort(baseUrl: string, port: number): string {
  const url = new URL(baseUrl);
  url.port = String(port);
  return url.href.replace(/\/$/, '');
}
