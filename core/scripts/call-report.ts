import type { HostFunction } from '../../scripts-runtime/script-run.ts';
import { errorCode } from '../kit/error-code.ts';
import { safeText } from '../kit/redact.ts';
import type { HostFunctions } from './host-functions/unwritten-metadata.ts';

const MAX_ENDPOINT = 200;

/** A report of a call, without the body and headers of its request and response. */
export interface CallReport {
  /** The name of the called function of `svc`, such as `proxy`. */
  readonly name: string;
  /** The method of a provider call. */
  readonly method?: string;
  /** The endpoint of a provider call, without the query. */
  readonly endpoint?: string;
  /** The status of the provider's response; null when there was none. */
  readonly status?: number | null;
  /** The metadata that was set or merged. */
  readonly metadata?: unknown;
  readonly duration_ms: number;
  /** Why the call failed. */
  readonly error?: string;
}

/** Wraps the functions to report every call when it ends. */
export function reportingCalls(functions: HostFunctions, onCall: (call: CallReport) => void): HostFunctions {
  const wrapped = Object.entries(functions).map(([name, call]) => {
    const reporting: HostFunction = async (args, signal) => {
      const started = performance.now();
      const end = (facts: Partial<CallReport>) =>
        onCall({ name, ...aboutCall(name, args), ...facts, duration_ms: Math.round(performance.now() - started) });
      try {
        const result = await call(args, signal);
        end(name === 'proxy' ? { status: statusOf(result) } : {});
        return result;
      } catch (error) {
        end({ error: errorText(error), ...(name === 'proxy' && { status: null }) });
        throw error;
      }
    };
    return [name, reporting] as const;
  });
  return Object.fromEntries(wrapped);
}

/** Formats a call as one line of text. */
export function formatCall({ name, method, endpoint, status, metadata, duration_ms, error }: CallReport): string {
  const what = method === undefined ? name : `${method} ${endpoint}`;
  const written = metadata === undefined ? '' : ` ${JSON.stringify(metadata)}`;
  const result = error ?? (status === undefined ? 'done' : String(status));
  return `${what}${written}  ${result}  ${duration_ms} ms`;
}

/** Returns the method and endpoint of a call, truncated: scripts may pass anything. */
function placeOf([request]: readonly unknown[]): Pick<CallReport, 'method' | 'endpoint'> {
  if (typeof request !== 'object' || request === null) return {};
  const { method = 'GET', endpoint = '' }: { readonly method?: unknown; readonly endpoint?: unknown } = request;
  const [path = ''] = String(endpoint).split(/[?#]/);
  return { method: safeText(String(method).toUpperCase(), 20), endpoint: safeText(path, MAX_ENDPOINT) };
}

function aboutCall(name: string, args: readonly unknown[]): Partial<CallReport> {
  if (name === 'proxy') return placeOf(args);
  return name === 'setMetadata' || name === 'updateMetadata' ? { metadata: args[0] } : {};
}

function statusOf(result: unknown): number | null {
  const { status }: { readonly status?: unknown } = typeof result === 'object' && result !== null ? result : {};
  return typeof status === 'number' ? status : null;
}

function errorText(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.name : 'failed');
}
