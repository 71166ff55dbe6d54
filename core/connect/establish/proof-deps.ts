import type { CredentialsDeps } from '../../credentials/deps.ts';

/** What asks the provider about new credentials. None of it touches storage. */
export type ProofDeps = Pick<CredentialsDeps, 'outbound' | 'clock' | 'log' | 'plugins'>;
