export type Theme = 'system' | 'light' | 'dark';

const KEY = 'svc-theme';

/** Returns the theme that was chosen in this browser. Default: `system`, even if the browser denies access to storage. */
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
    // Without storage the choice holds until the user leaves the page.
  }
}

export function paintTheme(root: HTMLElement, theme: Theme): void {
  if (theme === 'system') delete root.dataset['scheme'];
  else root.dataset['scheme'] = theme;
}
