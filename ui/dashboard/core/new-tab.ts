/**
 * Opens a page whose address is not known yet. Browsers open a tab within a click alone, so it comes first and is led on afterwards.
 *
 * @returns false: the browser opened none
 */
export async function openInNewTab(address: () => Promise<string>): Promise<boolean> {
  const tab = window.open('', '_blank');
  if (tab !== null) tab.opener = null;
  try {
    tab?.location.replace(await address());
  } catch (cause) {
    tab?.close();
    throw cause;
  }
  return tab !== null;
}
