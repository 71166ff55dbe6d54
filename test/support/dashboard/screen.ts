import type { Page } from 'playwright-core';
import type { StubbedApi } from './stub-api.ts';

/** A screen of the dashboard, which is checked by axe and shown to people as a picture. */
export interface DashboardScreen {
  /** The path below the base URL. */
  readonly path: string;
  /** Responses of the API in addition to `SIGNED_IN`. */
  readonly api?: StubbedApi;
  /** The actions that lead to the screen. */
  readonly act?: (page: Page) => Promise<void>;
  /** A text that is visible once the screen is; default: a heading of the first level. */
  readonly shows?: string;
}
