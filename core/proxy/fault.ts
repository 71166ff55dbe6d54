import { ServiceError } from '../errors.ts';
import { toOutboundError } from '../kit/outbound.ts';

/** Identified by its name. */
export function timeoutError(): Error {
  return Object.assign(new Error('no response in time'), { name: 'TimeoutError' });
}

const CODES = {
  address_not_allowed: 'address_not_allowed',
  timeout: 'provider_timeout',
  too_large: 'provider_unreachable',
  unreachable: 'provider_unreachable',
} as const;
const MESSAGES = {
  address_not_allowed: 'the address of the provider is not allowed',
  provider_timeout: 'the provider did not respond in time',
  provider_unreachable: 'the provider could not be reached, or sent no usable response',
} as const;

/** The error for the caller of a failed connect, check or exchange. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const fault = toOutboundError(error);
  const code = CODES[fault.code];
  return new ServiceError(code, MESSAGES[code], { cause: fault });
}
