import type { Brand } from './wire.ts';

/** The screens of the window that the dashboard can show as a picture, with sample data. */
export const PICTURES = ['start', 'picker', 'success', 'failure'] as const;

/** The message by which the dashboard requests one of these screens. */
export interface WantedPicture {
  readonly svc: 1;
  readonly type: 'picture';
  readonly screen: (typeof PICTURES)[number];
  readonly brand: Brand;
}
