import type { Page } from 'playwright-core';
import type { StubbedApi } from './stub-api.ts';

/** One picture of the dashboard: for axe, and for people. */
export interface DashboardScreen {
  /** Below the base URL. */
  readonly path: string;
  /** Beside `SIGNED_IN`. */
  readonly api?: StubbedApi;
  /** What somebody does there first. */
  readonly act?: (page: Page) => Promise<void>;
  /** What is there when the screen is. Default: a heading of the first level. */
  readonly shows?: string;
}
