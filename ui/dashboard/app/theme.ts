export type Theme = 'system' | 'light' | 'dark';

const KEY = 'svc-theme';

/** What somebody has chosen in this browser. Storage may be closed to pages. */
export function chosenTheme(storage: () => Storage): Theme {
  try {
    const theme = storage().getItem(KEY);
    return theme === 'light' || theme === 'dark' ? theme : 'system';
  } catch {
    return 'system';
  }
}

export function chooseTheme(storage: () => Storage, theme: Theme): void {
  try {
    storage().setItem(KEY, theme);
  } catch {
    // It holds until the page is left.
  }
}

export function paintTheme(root: HTMLElement, theme: Theme): void {
  if (theme === 'system') delete root.dataset['scheme'];
  else root.dataset['scheme'] = theme;
}
