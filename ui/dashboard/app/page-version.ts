/** Returns the version of the service that sent a document. Default: this one. */
export function pageVersion(sent: Document = document): string | undefined {
  const settings: { readonly version?: string } = JSON.parse(sent.getElementById('settings')?.textContent ?? '{}');
  return settings.version;
}

/** Returns the version of the service that runs now, which each of its pages names; undefined when it does not respond. */
export async function runningVersion(): Promise<string | undefined> {
  try {
    const response = await fetch('login', { cache: 'no-store' });
    return pageVersion(new DOMParser().parseFromString(await response.text(), 'text/html'));
  } catch {
    return undefined;
  }
}
