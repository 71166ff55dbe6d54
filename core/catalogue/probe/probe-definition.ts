import { valueAt } from '#contract';
import { type ModeDeps, type ModeInput, TokenFailure } from '../../auth-modes/auth-mode.ts';
import { OutboundError } from '../../kit/outbound.ts';
import { TemplateError } from '../../kit/template.ts';
import type { Provider } from '../catalogue.ts';
import {
  type ProbeCall,
  probeApi,
  probeAuthorization,
  probeIssuer,
  probeMcpServer,
  probeToken,
  probeVerification,
} from './probe-calls.ts';
import { ProbeFault } from './probe-fault.ts';
import { wrongInput } from './wrong-input.ts';

/** A field of a definition whose address was called, and the outcome. */
export interface ProbedMember {
  readonly member: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  /** Undefined when it passed. */
  readonly reason: string | undefined;
}

/** The one field whose response proves nothing: any web server responds at a base URL, even that of another product. */
const API = 'proxy.base_url';

/** The probes by the paths of the fields that they call, in the order in which a connection needs them. */
const PROBES: Readonly<Record<string, ProbeCall>> = {
  issuer: probeIssuer,
  mcp_server_url: probeMcpServer,
  authorization_url: probeAuthorization,
  token_url: probeToken,
  'proxy.verification': probeVerification,
  [API]: probeApi,
};

/**
 * Calls the addresses that a definition states, without credentials. Shows that names resolve, certificates are valid, and each
 * address responds as the definition says. Nothing is created at the provider.
 */
export async function probeDefinition(
  deps: ModeDeps,
  provider: Pick<Provider, 'slug' | 'definition'>,
): Promise<readonly ProbedMember[]> {
  const input = wrongInput(provider);
  const probed: ProbedMember[] = [];
  for (const [member, call] of Object.entries(PROBES))
    if (valueAt(input.definition, member) !== undefined) probed.push({ member, ...(await outcomeOf(call, deps, input)) });
  return probed;
}

/** Returns whether the provider has responded as the definition says, as far as that can be checked without credentials. */
export function hasAnswered(probed: readonly ProbedMember[]): boolean {
  const proofs = probed.filter(({ member, outcome }) => outcome === 'passed' && member !== API);
  return proofs.length > 0 && !probed.some(({ outcome }) => outcome === 'failed');
}

async function outcomeOf(call: ProbeCall, deps: ModeDeps, input: ModeInput): Promise<Omit<ProbedMember, 'member'>> {
  try {
    await call(deps, input);
    return { outcome: 'passed', reason: undefined };
  } catch (error) {
    if (error instanceof ProbeFault) return { outcome: error.outcome, reason: error.message };
    if (error instanceof TemplateError) return { outcome: 'skipped', reason: error.message };
    if (error instanceof OutboundError || error instanceof TokenFailure) return { outcome: 'failed', reason: error.message };
    throw error;
  }
}
