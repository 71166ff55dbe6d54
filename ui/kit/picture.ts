import type { Brand } from './wire.ts';

/** The screens of which the window shows a picture, with samples in it. */
export const PICTURES = ['start', 'picker', 'success', 'failure'] as const;

/** The message by which the dashboard wants one of them. */
export interface WantedPicture {
  readonly svc: 1;
  readonly type: 'picture';
  readonly screen: (typeof PICTURES)[number];
  readonly brand: Brand;
}
