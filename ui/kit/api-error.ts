import type { WireFault } from './wire.ts';

export interface ApiErrorFacts {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  readonly message?: string;
  readonly faults?: readonly WireFault[];
  readonly retryAfter?: number | null;
  readonly requestId?: string | null;
}

/** The error of a call that was refused or got no response. Match on `code`, which determines the text that users see. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly faults: readonly WireFault[];
  readonly retryAfter: number | null;
  readonly requestId: string | null;

  constructor(code: string, { status, message, faults, retryAfter, requestId }: ApiErrorFacts) {
    super(message ?? code);
    this.code = code;
    this.status = status;
    this.faults = faults ?? [];
    this.retryAfter = retryAfter ?? null;
    this.requestId = requestId ?? null;
  }
}

/**
 * The codes that determine the texts for users, by the service's codes. A code that is missing here counts as a fault of the
 * service.
 */
const CODES: Readonly<Record<string, string>> = {
  unknown_connect_session_token: 'session_expired',
  forbidden: 'integration_unavailable',
  too_many_request: 'rate_limited',
  integration_not_allowed: 'integration_unavailable',
  unknown_provider_config: 'integration_unavailable',
  unknown_connection: 'connection_deleted',
  invalid_auth_mode: 'integration_unavailable',
  missing_client_id: 'integration_unavailable',
  provider_unavailable: 'provider_unreachable',
  resource_capped: 'connection_limit',
};

/** Codes of error details that say why a session was refused. */
const SESSION_DETAILS = ['session_used', 'session_expired', 'origin_not_allowed'];

interface ErrorBody {
  readonly error?: { readonly code?: string; readonly message?: string; readonly errors?: readonly WireFault[] };
}

/** Returns what the service says about a refused call: its own code and message. */
export async function factsOf(response: Response): Promise<ApiErrorFacts & { readonly code: string }> {
  const body = (await response.json().catch(() => ({}))) as ErrorBody;
  const { code = '', message, errors = [] } = body.error ?? {};
  return {
    code,
    status: response.status,
    ...(message !== undefined && { message }),
    faults: errors,
    retryAfter: Number(response.headers.get('retry-after')) || null,
    requestId: response.headers.get('svc-request-id'),
  };
}

/** Converts a refused call to an error whose code stands for a text for users who connect an account. */
export async function errorOf(response: Response): Promise<ApiError> {
  const { code, faults: errors = [], ...facts } = await factsOf(response);
  const faults = errors.filter(({ path }) => path[0] === 'params' || path[0] === 'credentials');
  const detail = errors.find((error) => SESSION_DETAILS.includes(error.code))?.code;
  const known = detail ?? CODES[code] ?? (faults.length > 0 ? 'field_invalid' : 'server_error');
  return new ApiError(known, { ...facts, faults });
}
