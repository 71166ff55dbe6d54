import { OutboundError } from '../../core/kit/outbound.ts';

/** Returns the OutboundError that a call fails with. @throws when the call succeeds or fails with another error */
export async function outboundFault(call: Promise<unknown>): Promise<OutboundError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof OutboundError) return outcome;
  throw new Error('no OutboundError was thrown', { cause: outcome });
}
