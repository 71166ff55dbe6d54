import type { OutboundError } from './outbound-error.ts';

type Fault = Pick<OutboundError, 'code' | 'fault' | 'beforeSending'>;

/** Words for a call without a usable response, by the code of the system, of Node, or of TLS. Later patterns match what earlier do not. */
const WORDS: readonly (readonly [RegExp, (host: string) => string])[] = [
  [/^(?:ENOTFOUND|ENODATA|ESERVFAIL|EAI_)/, (host) => `this machine cannot resolve ${host} (DNS)`],
  [/^ECONNREFUSED$/, (host) => `${host} refuses the network connection`],
  [/^(?:ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL)$/, (host) => `this machine has no route to ${host}`],
  [/CERT|SELF_SIGNED|VERIFY|ALTNAME/, (host) => `the TLS certificate of ${host} is not valid`],
  [/^(?:ERR_SSL_|EPROTO)/, (host) => `${host} does not speak TLS as expected`],
  [
    /^(?:ECONNRESET|ERR_CONNECTION_RESET|EPIPE|UND_ERR_SOCKET)$/,
    (host) => `${host} ended the network connection without a response`,
  ],
];

/** Says why a host gave no usable response: "this machine cannot resolve api.example.com (DNS): EAI_AGAIN". */
export function faultWords({ code, fault, beforeSending }: Fault, host: string): string {
  if (code === 'address_not_allowed') return `the address of ${host} is not allowed`;
  if (code === 'too_large') return `the response of ${host} is too large`;
  if (code === 'timeout')
    return beforeSending ? `${host} does not accept a network connection in time` : `${host} does not respond in time`;
  const found = fault === undefined ? undefined : WORDS.find(([pattern]) => pattern.test(fault));
  const words = found === undefined ? `${host} gave no usable response` : found[1](host);
  return fault === undefined ? words : `${words}: ${fault}`;
}
