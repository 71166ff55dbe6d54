import type { IntegrationsDeps } from '../integrations/deps.ts';

export type ConnectSessionsDeps = Pick<IntegrationsDeps, 'db' | 'keys' | 'catalogue' | 'clock' | 'outbound'>;
