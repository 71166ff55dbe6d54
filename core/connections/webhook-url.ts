import { ServiceError } from '../errors.ts';
import { type Outbound, OutboundError } from '../kit/outbound.ts';

/**
 * Refuses an address that no webhook would reach because the outbound guard blocks it: better now than at the first
 * delivery.
 *
 * @throws ServiceError `invalid_body`
 */
export function checkWebhookUrl(outbound: Pick<Outbound, 'check'>, url: string, path: readonly string[]): void {
  try {
    outbound.check(new URL(url));
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    const message = 'must be an https address that is not a private one';
    const details = [{ code: 'address_not_allowed', message, path }];
    throw new ServiceError('invalid_body', `${path.join('.')} ${message}`, { details, cause });
  }
}
