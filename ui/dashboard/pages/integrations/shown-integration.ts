import type { Reply } from '../../app/replies.ts';
import type { Provider, Setup } from './app-form.ts';

export type Shown = Reply<'getIntegration'>['data'];
export type Status = Reply<'getIntegrationStatus'>['data'];

/** What is known of the integration of a page. */
export interface Found {
  /** Of the interface. */
  readonly path: string;
  readonly integration: Shown;
  readonly status: Status;
  readonly provider: Provider;
  readonly setup: Setup;
}

export type TabProps = Found;
