import type { HostFunction } from '../../../scripts-runtime/script-run.ts';
import { safeText } from '../../kit/redact.ts';
import type { HostFunctions } from '../../scripts/host-functions/unwritten-metadata.ts';

const MAX_ENDPOINT = 200;

/** A call as it is shown: never what it was sent with, or its answer. */
export interface ShownCall {
  /** The member of `svc`. */
  readonly name: string;
  /** Of a call of the provider. */
  readonly method?: string;
  /** Without its query. */
  readonly endpoint?: string;
  /** Of the provider's answer; null when there was none. */
  readonly status?: number | null;
  /** What was written, of a change of the metadata. */
  readonly metadata?: unknown;
  readonly duration_ms: number;
  /** Why it failed. */
  readonly error?: string;
}

/** The functions, with every call told as soon as it is over. */
export function shown(functions: HostFunctions, tell: (call: ShownCall) => void): HostFunctions {
  const telling = Object.entries(functions).map(([name, ask]) => {
    const told: HostFunction = async (args, signal) => {
      const started = performance.now();
      const end = (facts: Partial<ShownCall>) =>
        tell({ name, ...aboutCall(name, args), ...facts, duration_ms: Math.round(performance.now() - started) });
      try {
        const answer = await ask(args, signal);
        end(name === 'proxy' ? { status: statusOf(answer) } : {});
        return answer;
      } catch (error) {
        end({ error: errorText(error), ...(name === 'proxy' && { status: null }) });
        throw error;
      }
    };
    return [name, told] as const;
  });
  return Object.fromEntries(telling);
}

/** One line for people. */
export function lineOf({ name, method, endpoint, status, metadata, duration_ms, error }: ShownCall): string {
  const what = method === undefined ? name : `${method} ${endpoint}`;
  const written = metadata === undefined ? '' : ` ${JSON.stringify(metadata)}`;
  const answered = error ?? (status === undefined ? 'done' : String(status));
  return `${what}${written}  ${answered}  ${duration_ms} ms`;
}

/** Where a call goes: scripts may put anything into their arguments. */
export function placeOf([request]: readonly unknown[]): Pick<ShownCall, 'method' | 'endpoint'> {
  if (typeof request !== 'object' || request === null) return {};
  const { method = 'GET', endpoint = '' }: { readonly method?: unknown; readonly endpoint?: unknown } = request;
  const [path = ''] = String(endpoint).split(/[?#]/);
  return { method: safeText(String(method).toUpperCase(), 20), endpoint: safeText(path, MAX_ENDPOINT) };
}

function aboutCall(name: string, args: readonly unknown[]): Partial<ShownCall> {
  if (name === 'proxy') return placeOf(args);
  return name === 'setMetadata' || name === 'updateMetadata' ? { metadata: args[0] } : {};
}

function statusOf(answer: unknown): number | null {
  const { status }: { readonly status?: unknown } = typeof answer === 'object' && answer !== null ? answer : {};
  return typeof status === 'number' ? status : null;
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
