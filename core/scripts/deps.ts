import type { ConnectionsDeps } from '../connections/deps.ts';
import type { CredentialsDeps } from '../credentials/deps.ts';
import type { ProviderProxy } from '../proxy/proxy.ts';
import type { Compiler } from './compiler.ts';
import type { ScriptRunner } from './script-runner.ts';

export interface ScriptDeps extends ConnectionsDeps, Omit<CredentialsDeps, 'instances' | 'refreshMarginSeconds'> {
  readonly outbound: CredentialsDeps['outbound'];
  readonly scriptRunner: Pick<ScriptRunner, 'run' | 'limits'>;
  readonly compiler: Pick<Compiler, 'compile'>;
  readonly proxy: ProviderProxy;
}
