import type { OutboundError } from './outbound-error.ts';

type Fault = Pick<OutboundError, 'code' | 'fault' | 'beforeSending'>;

/** What prevented a usable response. */
export type FaultKind =
  | 'not_allowed'
  | 'too_large'
  | 'timeout'
  | 'dns'
  | 'refused'
  | 'route'
  | 'certificate'
  | 'tls'
  | 'reset'
  | 'other';

/** The kinds by the code of the system, of Node, or of TLS. A pattern matches what no earlier one does. */
const KINDS: readonly (readonly [RegExp, FaultKind])[] = [
  [/^(?:ENOTFOUND|ENODATA|ESERVFAIL|EAI_)/, 'dns'],
  [/^ECONNREFUSED$/, 'refused'],
  [/^(?:ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/, 'route'],
  [/CERT|SELF_SIGNED|VERIFY|ALTNAME/, 'certificate'],
  [/^(?:ERR_SSL_|EPROTO)/, 'tls'],
  [/^(?:ECONNRESET|ERR_CONNECTION_RESET|EPIPE|UND_ERR_SOCKET)$/, 'reset'],
];

const WORDS: Readonly<Record<FaultKind, (host: string, isSent: boolean) => string>> = {
  not_allowed: (host) => `the address of ${host} is not allowed`,
  too_large: (host) => `the response of ${host} is too large`,
  timeout: (host, isSent) => `${host} does not ${isSent ? 'respond' : 'accept a network connection'} in time`,
  dns: (host) => `this machine cannot resolve ${host} (DNS)`,
  refused: (host) => `${host} refuses the network connection`,
  route: (host) => `this machine has no route to ${host}`,
  certificate: (host) => `the TLS certificate of ${host} is not valid`,
  tls: (host) => `${host} does not speak TLS as expected`,
  reset: (host) => `${host} ended the network connection without a response`,
  other: (host) => `${host} gave no usable response`,
};

export function faultKind({ code, fault }: Pick<Fault, 'code' | 'fault'>): FaultKind {
  if (code !== 'unreachable') return code === 'address_not_allowed' ? 'not_allowed' : code;
  return (fault !== undefined && KINDS.find(([pattern]) => pattern.test(fault))?.[1]) || 'other';
}

/** Says why a host gave no usable response: "this machine cannot resolve api.example.com (DNS): EAI_AGAIN". */
export function faultWords(failed: Fault, host: string): string {
  const words = WORDS[faultKind(failed)](host, !failed.beforeSending);
  return failed.fault === undefined ? words : `${words}: ${failed.fault}`;
}
