import type { Reply } from '../../app/replies.ts';
import type { Provider, Setup } from './app-form.ts';

export type Shown = Reply<'getIntegration'>['data'];
export type Status = Reply<'getIntegrationStatus'>['data'];

/** The integration of a page, with everything that its tabs need. */
export interface Found {
  /** The path of the integration in the private interface. */
  readonly path: string;
  readonly integration: Shown;
  readonly status: Status;
  readonly provider: Provider;
  readonly setup: Setup;
}

export type TabProps = Found;
