import type { Page } from 'playwright-core';
import type { StubbedApi } from './stub-api.ts';

/** A screen of the dashboard. Tests check it with axe, and screenshots show it to people. */
export interface DashboardScreen {
  /** The path below the base URL. */
  readonly path: string;
  /** Stubbed responses of the API, in addition to `SIGNED_IN`. */
  readonly api?: StubbedApi;
  /** What a member does on the page to reach the screen. */
  readonly act?: (page: Page) => Promise<void>;
  /** A text whose appearance shows that the screen is complete; default: any heading of the first level. */
  readonly shows?: string;
}
