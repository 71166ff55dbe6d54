import * as z from 'zod';
import { type FlowEnd, TokenFailure } from '../auth-mode.ts';
import type { McpGrant } from './stored.ts';

/**
 * The values that a flow stores until its callback. They include the token endpoint, so that no response can change where the
 * code is sent.
 */
export interface McpFlowSecrets extends McpGrant {
  readonly redirectUri: string;
  readonly codeVerifier: string;
  readonly isIssuerSent: boolean;
  readonly tokenEndpoint: string;
}

const client = z.discriminatedUnion('from', [
  z.object({ from: z.literal('integration'), secretIn: z.enum(['basic', 'body']).exactOptional() }),
  z.object({ from: z.literal('document'), clientId: z.string() }),
  z.object({
    from: z.literal('registration'),
    clientId: z.string(),
    clientSecret: z.string().exactOptional(),
    secretIn: z.enum(['basic', 'body']).exactOptional(),
  }),
]);

const schema: z.ZodType<McpFlowSecrets> = z.object({
  redirectUri: z.string(),
  codeVerifier: z.string(),
  issuer: z.string(),
  isIssuerSent: z.boolean(),
  resource: z.string(),
  tokenEndpoint: z.string(),
  client,
});

/** Reads the secrets of a flow. @throws TokenFailure if the flow began when the provider had another auth mode */
export function readSecrets(secrets: FlowEnd['secrets']): McpFlowSecrets {
  const { success, data } = schema.safeParse(secrets);
  if (!success) throw new TokenFailure('malformed', 'the flow began when the provider had another auth mode');
  return data;
}
