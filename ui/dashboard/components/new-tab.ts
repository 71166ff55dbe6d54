/**
 * Opens a page whose address is not known yet. Browsers open a tab only during a click, so an empty tab is opened first, and gets
 * its address afterwards.
 *
 * @returns the address, if the browser opened no tab for it
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
