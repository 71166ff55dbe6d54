import * as z from 'zod';
import { meaningOf } from '../../error-meanings.ts';
import type { Message } from '../../journal/operation-log/operation-row.ts';

const KINDS = [
  ...['not_allowed', 'too_large', 'timeout', 'dns', 'refused', 'route', 'certificate', 'tls', 'reset', 'other'],
  ...['status', 'code'],
] as const;

export const failureCause = z
  .strictObject({
    kind: z.enum(KINDS).meta({
      description:
        'why there was no usable response; `status`: there was one, with `http_status`; `code`: the service refused, or failed, ' +
        'with `error_code`',
    }),
    host: z.string().nullable().meta({ description: 'the host that was called; null: none, or unknown' }),
    origin: z
      .string()
      .nullable()
      .meta({ description: 'scheme, host and port that gave no usable response; null: none, or unknown' }),
    reason: z.string().nullable().meta({ description: 'the kind in words, with the code of the system' }),
    said: z.string().nullable().meta({ description: 'the provider’s error code, if it is a known one' }),
    meaning: z.string().nullable().meta({ description: 'what `error_code` means; null: it is none of the service' }),
    remedy: z.string().nullable().meta({ description: 'what can be done about it' }),
  })
  .meta({ id: 'FailureCause' });

type FailureCause = z.output<typeof failureCause>;

interface FailedOperation {
  readonly status: string;
  readonly http_status: number | null;
  readonly error_code: string | null;
  readonly messages: readonly unknown[];
}

/** Returns why an operation failed, from what it noted; null for one that did not fail, or whose cause is unknown. */
export function causeOf({ status, http_status: httpStatus, error_code: code, messages }: FailedOperation): FailureCause | null {
  if (status !== 'failure' && status !== 'retrying') return null;
  const noted = (messages as readonly Message[]).map(({ facts }) => facts as NotedFacts);
  const call = noted.findLast((facts) => facts.call !== undefined)?.call;
  const fault = noted.findLast((facts) => facts.fault !== undefined)?.fault ?? call?.fault;
  const kind = fault?.kind ?? (httpStatus === null ? code && 'code' : 'status');
  if (!isKind(kind)) return null;
  const known = code === null ? undefined : meaningOf(code);
  return {
    kind,
    host: fault?.host ?? call?.host ?? null,
    origin: fault?.origin ?? null,
    reason: fault?.reason ?? null,
    said: noted.findLast((facts) => typeof facts.providerError === 'string')?.providerError ?? null,
    meaning: known?.meaning ?? null,
    remedy: known?.remedy ?? null,
  };
}

interface NotedFault {
  readonly kind: string;
  readonly reason: string;
  readonly host?: string;
  readonly origin?: string;
}

/** The facts of messages that say why a call failed. */
interface NotedFacts {
  readonly call?: { readonly host: string; readonly fault?: NotedFault };
  readonly fault?: NotedFault;
  readonly providerError?: string | null;
}

function isKind(kind: string | null | undefined): kind is FailureCause['kind'] {
  return KINDS.some((one) => one === kind);
}
