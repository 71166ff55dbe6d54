import { OutboundError } from '../../core/kit/outbound.ts';

/** The OutboundError that a call ends with. @throws when it ends well or otherwise */
export async function outboundFault(call: Promise<unknown>): Promise<OutboundError> {
  const outcome = await call.catch((error: unknown) => error);
  if (outcome instanceof OutboundError) return outcome;
  throw new Error('no OutboundError was thrown', { cause: outcome });
}
