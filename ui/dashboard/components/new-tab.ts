/**
 * Opens a page whose URL is not known yet. Browsers open a tab only during a click, so an empty tab is opened first and gets its
 * URL afterwards.
 *
 * @returns the URL if the browser did not open a tab, otherwise undefined
 */
export async function openInNewTab(address: () => Promise<string>): Promise<string | undefined> {
  const tab = window.open('', '_blank');
  if (tab !== null) tab.opener = null;
  try {
    const found = await address();
    if (tab === null) return found;
    tab.location.replace(found);
    return undefined;
  } catch (cause) {
    tab?.close();
    throw cause;
  }
}
