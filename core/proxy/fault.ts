import { ServiceError } from '../errors.ts';
import { MAX_HEAD_BYTES, toOutboundError } from '../kit/outbound.ts';

/** Creates an error that is recognized by its name, as those of `AbortSignal.timeout()` are. */
export function timeoutError(): Error {
  return Object.assign(new Error('no response in time'), { name: 'TimeoutError' });
}

const FAULTS = {
  address_not_allowed: ['address_not_allowed', 'the address of the provider is not allowed'],
  timeout: ['provider_timeout', 'the provider did not respond in time'],
  // Only headers can be too large: bodies are streamed, whatever their size.
  too_large: ['provider_unreachable', `the provider's response headers are larger than ${MAX_HEAD_BYTES / 1024} kB`],
  unreachable: ['provider_unreachable', 'the provider could not be reached, or sent no usable response'],
} as const;

/** Returns the error for the caller of the proxy after the provider's address was refused, or the exchange with it failed. */
export function toServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const fault = toOutboundError(error);
  const [code, message] = FAULTS[fault.code];
  return new ServiceError(code, message, { cause: fault });
}
