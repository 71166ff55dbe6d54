import { COMMON_ICONS, iconOf } from '../kit/icon.tsx';

const PATHS = {
  ...COMMON_ICONS,
  back: 'M10 3L5 8l5 5',
  lock: 'M5 7h6a1.5 1.5 0 011.5 1.5V12a1.5 1.5 0 01-1.5 1.5H5A1.5 1.5 0 013.5 12V8.5A1.5 1.5 0 015 7M5.5 7V5.2a2.5 2.5 0 015 0V7',
  clock: 'M8 2.2a5.8 5.8 0 100 11.6A5.8 5.8 0 008 2.2M8 4.8V8l2.2 1.6',
} as const;

export type IconName = keyof typeof PATHS;

export const Icon = iconOf<IconName>(PATHS);
